"""Scenarios: what Juneau promises, told in nodes, manifests, NICs, frames and time, and run on a lab.

    .feature file -> steps (`steps/`) -> scene (`scene.py`) -> lab -> driver

The steps ship with the package, so that a user's own `.feature` files become tests as well.
"""
