"""`juneau reference`: the fields, columns and phases of every Kind, made from the Kinds."""

from __future__ import annotations

import sys
from argparse import Namespace

from juneau.commands.arguments import Commands
from juneau.commands.exits import Exit


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    description = "Print the reference of all Kinds as Markdown: fields, defaults, limits, columns and phases."
    commands.add_parser("reference", help="print the reference of all Kinds", description=description).set_defaults(
        run=run
    )


def run(_arguments: Namespace) -> Exit:
    """Print the page."""
    from juneau.engine.reference import reference_page
    from juneau.resources import registry

    sys.stdout.write(reference_page(registry()))
    return Exit.OK
