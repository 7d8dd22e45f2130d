"""stub"""
from __future__ import annotations
def add_to(commands): pass
