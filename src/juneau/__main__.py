"""The program `juneau`: reads the command line, runs one subcommand, and says in one line what went wrong.

Subcommands live in `commands/` and import what they work with only when they run, so that help comes at once.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from juneau.commands import crds, demo, diagram, drivers, explain, fsck, lab, reference, scenarios, version
from juneau.commands.arguments import Parser
from juneau.commands.exits import BROKEN_PIPE, INTERRUPTED, Exit, UsageError

COMMANDS = (demo, lab, explain, fsck, scenarios, diagram, crds, reference, drivers, version)
_EPILOG = """\
start here:
  juneau demo                                        Juneau at work, on this machine and without root
  juneau lab run -f app.yaml --get nwiface           bring manifests to life in memory, and look at the result
  juneau lab trace -f app.yaml --from app --to 10.90.0.5
  juneau explain -f app.yaml pod/app                 why something is not Ready, to the end of the chain
  juneau fsck --stored dump.yaml                     what is wrong with objects that are stored already

exit status: 0 done, even if objects still wait; 1 something was refused, is not there or was found wrong, or a scenario
or the demo failed; 2 used wrongly; 3 a packet did not arrive
"""


def parser() -> Parser:
    """The whole command line."""
    root = Parser(
        prog="juneau",
        description="VPC networking for Kubernetes: tenants, L2 and L3 segments, several NICs per Pod.",
        epilog=_EPILOG,
    )
    root.set_defaults(debug=False)
    root.add_argument("--version", action="store_true", help="print the version")
    drivers.add_flag(root)
    commands = root.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for module in COMMANDS:
        module.add_to(commands)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as ended:  # argparse has printed help, or what is wrong
        return int(ended.code or 0)
    return run(arguments)


def run(arguments: Namespace) -> int:
    """Run the subcommand that was chosen; however it ends, a person can read why."""
    try:
        status = int(arguments.run(arguments))
        sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return Exit.USAGE
    except BrokenPipeError:
        # Whoever read has gone; what is left in the buffer must not raise again when Python ends.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return BROKEN_PIPE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        if arguments.debug:
            raise
        print(f"error: {type(error).__name__}: {error}", file=sys.stderr)
        print("This is unexpected; --debug shows where it comes from.", file=sys.stderr)
        return Exit.REFUSED


if __name__ == "__main__":
    sys.exit(main())
