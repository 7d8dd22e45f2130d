"""`juneau drivers`: which dataplane drivers are installed, and why one cannot run on this machine."""

from __future__ import annotations

import sys
from argparse import Namespace

from juneau.commands.arguments import Commands, Parser
from juneau.commands.exits import Exit, UsageError

_HELP = "list the dataplane drivers, and why one cannot run here"


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    commands.add_parser("drivers", help=_HELP, description=f"{_HELP[0].upper()}{_HELP[1:]}.").set_defaults(run=run)


def add_flag(root: Parser) -> None:
    """`juneau --dataplane-driver` without a subcommand lists as well."""
    root.add_argument(
        "--dataplane-driver",
        metavar="help",
        nargs="?",
        const="help",
        dest="listed",
        help="the same as 'juneau drivers'",
    )
    root.set_defaults(run=_run_without_command)


def run(_arguments: Namespace) -> Exit:
    """Print the table."""
    from juneau.commands.dataplanes import listing

    sys.stdout.write(listing())
    return Exit.OK


def _run_without_command(arguments: Namespace) -> Exit:
    if arguments.version:
        from juneau.commands import version

        return version.run(arguments)
    if arguments.listed == "help":
        return run(arguments)
    if arguments.listed is not None:
        raise UsageError(f"--dataplane-driver {arguments.listed} belongs to a command, such as 'juneau lab run'")
    raise UsageError("no command given; see 'juneau --help'")
