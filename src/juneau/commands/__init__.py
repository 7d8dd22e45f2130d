"""The subcommands of `juneau`, one module each.

A module has `add_to`, which describes the subcommand, and `run`, which does it and returns the exit status.
At its top it imports nothing heavy: `run` does, when it is called.
"""
