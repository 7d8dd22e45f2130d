"""`juneau explain`: what an object waits for, what that waits for, and so on to the end."""

from __future__ import annotations

import sys
from argparse import Namespace

from juneau.commands.arguments import Commands, add_world_arguments
from juneau.commands.exits import Exit, UsageError
from juneau.commands.values import reference

_DESCRIPTION = """\
Tell why an object is not Ready: what it waits for, what that waits for, and so on to the end of the chain.

It works for Pods whose NICs do not exist yet, and for objects that do not exist.
The exit status is 0 if the object is there or somebody is known who makes it.
"""
_EPILOG = """\
examples:
  juneau explain -f app.yaml pod/app
  juneau explain -f app.yaml --advance 5m networkinterface/shop/app.eth0
"""


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser(
        "explain",
        help="why something is not Ready",
        usage="juneau explain [-f FILE]... [--delete KIND/NAME]... [--advance DURATION]... [OPTION ...]"
        " KIND/[NAMESPACE/]NAME",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument("object", metavar="KIND/[NAMESPACE/]NAME", type=reference, nargs="?", help="what to explain")
    add_world_arguments(parser, many=False)
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> Exit:
    """Bring the lab to the state that is asked about, and print the tree."""
    if arguments.dataplane_driver == "help":
        from juneau.commands import drivers

        return drivers.run(arguments)
    if arguments.object is None:
        raise UsageError("name the object to explain, such as pod/app")
    if not arguments.orders:
        raise UsageError(
            "give manifests with -f, to be run in a lab; asking a cluster comes with a later version of Juneau"
        )
    from juneau.commands.worlds import carry_out, start
    from juneau.lab.describe import explained

    session = start(arguments)
    carry_out(session, arguments.orders)
    key = session.key_of(arguments.object)
    if key is None:
        return Exit.REFUSED
    text = explained(session, key)
    sys.stdout.write(text)
    known = session.lab.cache.get(key) is not None or text.count("\n") > 1
    return Exit.OK if known and not session.refusals else Exit.REFUSED
