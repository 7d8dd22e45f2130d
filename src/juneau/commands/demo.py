"""`juneau demo`: the sample manifests brought to life, and packets between their Pods."""

from __future__ import annotations

import sys
from argparse import Namespace

from juneau.commands.arguments import Commands
from juneau.commands.exits import Exit

_DESCRIPTION = """\
Show Juneau at work on the sample manifests, on this machine and without root.

A lab in this process plays a cluster of two Nodes: the samples become Ready, Pods ping each other within a Subnet,
across Nodes and across a gateway, a host outside asks by ARP for an ElasticIP and pings it, Pods go out by NAT,
a segment floods a frame, and a Pod that waits tells for what.
The exit status is 1 if anything is not as expected.
"""


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser("demo", help="see Juneau at work, in a second", description=_DESCRIPTION)
    parser.set_defaults(run=run)


def run(_arguments: Namespace) -> Exit:
    """Tell the story and check it."""
    from juneau.commands.story import Story

    story = Story(sys.stdout.write)
    return Exit.OK if story.tell() else Exit.REFUSED
