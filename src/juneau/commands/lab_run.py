"""`juneau lab run`: manifests in, statuses out."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from juneau.commands.arguments import Commands, add_output_arguments, add_world_arguments
from juneau.commands.exits import Exit, UsageError

if TYPE_CHECKING:
    from juneau.lab.session import Session

_DESCRIPTION = """\
Apply manifests to a cluster in memory and print what became of them.

Documents are admitted, reconciled and plugged as in a cluster; applying a name again is an update.
Pods without a nodeName go to the Node with the fewest Pods, of those that have the labels of their nodeSelector.
What is refused is told on standard error, the rest is still done, and the exit status is then 1.
Time is virtual: it begins at 2026-01-01T00:00:00Z and moves only by --advance.
"""
_EPILOG = """\
examples:
  juneau lab run -f samples/ --get networkinterface
  juneau lab run -f app.yaml --delete pod/app --advance 24h -f app.yaml --get nwiface/app.eth0 -o yaml
  juneau lab run -f app.yaml --get pods,subnets -o json | jq '.items[].status'
"""


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser(
        "run",
        help="apply manifests and print what became of them",
        usage="juneau lab run [-f FILE ...] [--delete KIND/NAME ...] [--advance DURATION ...] [--get KIND[/NAME] ...]"
        " [-o FORMAT] [OPTION ...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    add_world_arguments(parser)
    add_output_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> Exit:
    """Do what the command line asks for, in its order, and print the answer."""
    if arguments.dataplane_driver == "help":
        from juneau.commands import drivers

        return drivers.run(arguments)
    from juneau.commands.worlds import carry_out, start

    session = start(arguments)
    if not arguments.get and all(order.verb == "DURATION" for order in arguments.orders):
        raise UsageError("give manifests with -f, or say with --get what to print of an empty lab")
    carry_out(session, arguments.orders)
    session.tell_what_waits()
    if arguments.get or arguments.output:
        sys.stdout.write(answer(session, arguments))
    return Exit.REFUSED if session.refusals else Exit.OK


def answer(session: Session, arguments: Namespace) -> str:
    """What --get asks for, in the form that -o names."""
    from juneau.engine.errors import BadRequest
    from juneau.engine.table import render, render_many

    refusals = session.refusals
    groups = session.select(arguments.get) if arguments.get else session.everything_applied()
    output = arguments.output or "table"
    now = session.clock.now()
    if session.refusals == refusals and not any(objects for _, objects in groups):
        session.say("No resources found")
    # Alone and by its name, an object is printed as itself; but JSON is always one List.
    alone = len(arguments.get) == 1 and arguments.get[0].name and output != "json"
    try:
        if alone and groups and groups[0][1]:
            return render(*groups[0], output, now, single=True)
        return render_many(groups, output, now)
    except BadRequest as error:
        session.refuse(f"error: {error.message}")
        return ""
