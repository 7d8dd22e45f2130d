"""The engine: phase machines over immutable resources, intents, and the loops that make them true.

It knows no Kind and no driver; `juneau.resources` registers the former, `juneau.drivers` implements the latter.
"""
