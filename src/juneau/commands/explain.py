"""`juneau explain`: what an object waits for, what that waits for, and so on to the end."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace

from juneau.commands.arguments import Commands, add_world_arguments
from juneau.commands.exits import Exit, UsageError
from juneau.commands.values import SUFFIXES, reference
from juneau.lab.reference import Reference

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


def _object(text: str) -> Reference:
    """A reference; a second file after one -f is told from it."""
    if text.endswith(SUFFIXES) or _is_path(text):
        raise ArgumentTypeError(f"{text!r} is a file or directory; explain takes one after each -f: write -f {text}")
    return reference(text)


def _is_path(text: str) -> bool:
    """Whether there is such a path, and what it would mean as KIND/NAME is of no Kind."""
    from juneau.commands.worlds import exists
    from juneau.resources import registry

    return exists(text) and registry().find(text.partition("/")[0]) is None


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
    parser.add_argument("object", metavar="KIND/[NAMESPACE/]NAME", type=_object, nargs="?", help="what to explain")
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
