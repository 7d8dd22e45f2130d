"""`juneau diagram`: the phases of a Kind and what leads from one to the next, as a Mermaid state diagram."""

from __future__ import annotations

import sys
from argparse import Namespace

from juneau.commands.arguments import Commands
from juneau.commands.exits import Exit, UsageError

_DESCRIPTION = """\
Print the state diagram of a Kind in Mermaid, drawn from the rows that run it.

An arrow's text is the first condition that holds.
"""


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser("diagram", help="print the state diagram of a Kind", description=_DESCRIPTION)
    parser.add_argument("kind", metavar="KIND", nargs="?", help="a Kind by any of its names, such as nwiface")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> Exit:
    """Print the diagram of the Kind."""
    from juneau.resources import registry

    kinds = registry()
    known = ", ".join(sorted(kind.name for kind in kinds if kind.controller is not None))
    if arguments.kind is None:
        raise UsageError(f"name a Kind; there are: {known}")
    kind = kinds.find(arguments.kind)
    if kind is None:
        raise UsageError(f'there is no Kind "{arguments.kind}"; there are: {known}')
    if kind.controller is None:
        raise UsageError(f"{kind.name} has no phases of Juneau's; diagrams exist of: {known}")
    sys.stdout.write(kind.controller.machine.diagram())
    return Exit.OK
