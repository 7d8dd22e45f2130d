"""`juneau crds`: the CustomResourceDefinitions, made from the Kinds."""

from __future__ import annotations

import sys
from argparse import Namespace

from juneau.commands.arguments import Commands
from juneau.commands.exits import Exit


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    description = "Print the CustomResourceDefinitions of all Kinds as YAML, for kubectl apply -f -."
    commands.add_parser("crds", help="print the CRDs", description=description).set_defaults(run=run)


def run(_arguments: Namespace) -> Exit:
    """Print all of them."""
    from juneau.engine.schema import crds_yaml
    from juneau.resources import registry

    sys.stdout.write(crds_yaml(registry()))
    return Exit.OK
