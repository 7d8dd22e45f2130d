"""`juneau lab`: a whole cluster in one process, with three things to do with it."""

from __future__ import annotations

from argparse import Namespace

from juneau.commands import lab_run, lab_shell, lab_trace
from juneau.commands.arguments import Commands
from juneau.commands.exits import Exit, UsageError

_DESCRIPTION = """\
A cluster in this process: store, admission, controllers, one agent per Node, and a dataplane.
It needs no root and ends with the command.
Time is virtual: it begins at 2026-01-01T00:00:00Z and moves only by --advance.
"""


def add_to(commands: Commands) -> None:
    """Describe the subcommand and those below it."""
    parser = commands.add_parser("lab", help="run manifests in memory, without a cluster", description=_DESCRIPTION)
    parser.set_defaults(run=_run_without_command)
    below = parser.add_subparsers(title="commands", metavar="COMMAND", dest="lab_command")
    for module in (lab_run, lab_trace, lab_shell):
        module.add_to(below)


def _run_without_command(_arguments: Namespace) -> Exit:
    raise UsageError("juneau lab needs one of run, trace, shell; see 'juneau lab --help'")
