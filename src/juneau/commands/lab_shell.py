"""`juneau lab shell`: a lab that stays up, and a prompt."""

from __future__ import annotations

from argparse import Namespace

from juneau.commands.arguments import Commands, Order, add_world_arguments
from juneau.commands.exits import Exit, UsageError

_DESCRIPTION = """\
Bring manifests to life in memory and stay: apply, delete, get, describe, explain, trace, advance, node,
nodes, help, quit.

`node cut-off NAME` takes a Node its API server and `node power-off NAME` its power; `node reconnect` and
`node power-on` give them back.

Commands may also come from a pipe or a file; an error does not end the shell, but the exit status is then 1.
"""
_EPILOG = """\
examples:
  juneau lab shell -f samples/
  printf 'apply more.yaml\\nget pods\\n' | juneau lab shell -f app.yaml
  printf 'node power-off worker-1\\nadvance 1m\\nget arpadvertisements\\n' | juneau lab shell -f app.yaml
"""


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser(
        "shell",
        help="keep a lab up and work in it",
        usage="juneau lab shell [-f FILE ...] [OPTION ...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    add_world_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> Exit:
    """Bring the lab up and read commands."""
    if arguments.dataplane_driver == "help":
        from juneau.commands import drivers

        return drivers.run(arguments)
    if Order("FILE", "-") in arguments.orders:
        raise UsageError("-f - does not go with a shell, which reads its commands from standard input")
    from juneau.commands.shell import Shell
    from juneau.commands.worlds import carry_out, start

    session = start(arguments)
    carry_out(session, arguments.orders)
    session.tell_what_waits()
    return Shell(session).talk()
