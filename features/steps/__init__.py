"""The vocabulary of scenarios, one module per subject; `grammar` says how a step's words are read."""
