"""The CNI: what happens when a container runtime adds a Pod to its networks, and takes it out again."""
