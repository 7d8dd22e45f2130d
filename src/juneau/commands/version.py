"""`juneau version`."""

from __future__ import annotations

from argparse import Namespace

from juneau import __version__
from juneau.commands.arguments import Commands
from juneau.commands.exits import Exit


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    help_ = "print the versions of Juneau and of Python"
    commands.add_parser("version", help=help_, description=f"{help_.capitalize()}.").set_defaults(run=run)


def run(_arguments: Namespace) -> Exit:
    """Print one line."""
    import platform

    print(f"juneau {__version__} (Python {platform.python_version()})")
    return Exit.OK
