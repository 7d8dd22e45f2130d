"""Dataplane drivers: each folder makes the engine's intents true in its own way and knows nothing of the others."""
