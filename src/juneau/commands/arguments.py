"""What the command lines of several subcommands have in common.

Values are checked while they are read, so that a slip costs no time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from juneau.commands.exits import UsageError
from juneau.commands.values import (
    OUTPUTS,
    address,
    cidr,
    duration,
    lease_text,
    mtu,
    node_lease,
    nodes,
    optional_cidr,
    output_format,
    reference,
    selections,
    underlay_cidr,
)
from juneau.lab.reference import Reference

if TYPE_CHECKING:
    from juneau.engine.settings import NodeSettings, Settings
    from juneau.lab.outside import OutsideSettings

# The same as the defaults of `juneau.engine.settings`, which are slow to load; a test compares them.
DEFAULTS = {
    "default_subnet_cidr": "10.16.0.0/16",
    "service_cidr": "10.96.0.0/12",
    "default_l2_mtu": 1450,
    "address_lease": "24h",
    "node_lease": "15s",
}
NODES = ("worker-1", "worker-2")
# What only a lab has: its Nodes and what they run, the network between them, the outside.
_LAB_ONLY = (
    "nodes", "dataplane_driver", "underlay_cidr", "underlay_mtu", "external_cidr", "router", "outside",
    "node_ingress_iface", "arp_interval", "arp_fence_after",
)  # fmt: skip


class Parser(argparse.ArgumentParser):
    """A parser for people: texts stay as they are laid out, and options are never guessed from their beginnings."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)
        self.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help="show where an unexpected error comes from"
        )

    def error(self, message: str) -> NoReturn:
        """One line, in the form of every other error."""
        self.exit(2, f"error: {message}\nSee '{self.prog} --help'.\n")


class Commands(Protocol):
    """Where subcommands are added."""

    def add_parser(self, name: str, /, **options: Any) -> Parser: ...


class Order(NamedTuple):
    """One thing to do to the lab, in its turn: apply a path, delete a reference, or advance by seconds."""

    verb: str
    value: Any


class _InTurn(argparse.Action):
    """Collects -f, --delete and --advance in one list, in the order in which they were given."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        orders: list[Order] = [*(getattr(namespace, self.dest) or [])]
        several: list[Any] = values if self.nargs else [values]
        orders.extend(Order(str(self.metavar), value) for value in several)
        if sum(order == Order("FILE", "-") for order in orders) > 1:
            parser.error("-f - can be given once: standard input can be read once")
        setattr(namespace, self.dest, orders)


class _Selections(argparse.Action):
    """Collects what --get names; `pods,subnets` is two."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        several: list[Sequence[Reference]] = values
        held: list[Reference] = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [*held, *(found for group in several for found in group)])


def add_world_arguments(parser: Parser, *, many: bool = True) -> None:
    """What a lab is made of; with `many` an option takes several values, which positional arguments would not survive.

    The orders are in `orders`, what configures the installation in the names of Settings' fields.
    """
    nargs = "+" if many else None
    world = parser.add_argument_group(
        "the world", "Done in the order given; after each document, until all is at rest."
    )
    in_turn: dict[str, Any] = {"action": _InTurn, "dest": "orders", "nargs": nargs, "default": []}
    world.add_argument(
        "-f", "--filename", metavar="FILE", **in_turn,
        help="manifests to apply: a file, a directory (*.yaml, *.yml, *.json, sorted), or - for standard input",
    )  # fmt: skip
    world.add_argument(
        "--delete", metavar="KIND/[NAMESPACE/]NAME", type=reference, help="an object to delete", **in_turn
    )
    world.add_argument(
        "--advance", metavar="DURATION", type=duration, help="let virtual time pass, such as 300s or 1h30m", **in_turn
    )
    world.add_argument(
        "--nodes", metavar="NAMES", type=nodes, default=NODES,
        help="Nodes to begin with, by commas; '' for none (default: worker-1,worker-2)",
    )  # fmt: skip
    world.add_argument(
        "--dataplane-driver", metavar="NAME", nargs="?", const="help", default="simulated",
        help="who moves packets (default: simulated); without a name, or with 'help', lists what is installed",
    )  # fmt: skip
    world.add_argument("-v", "--verbose", action="store_true", help="tell each change of a phase")
    _add_settings(parser)
    _add_underlay(parser)
    _add_outside(parser)
    _add_node_settings(parser)


def lab_defaults(parser: Parser) -> dict[str, object]:
    """What only a lab takes to heart, with its defaults: for a subcommand that can do without a lab."""
    return {name: parser.get_default(name) for name in _LAB_ONLY}


def _add_underlay(parser: Parser) -> None:
    group = parser.add_argument_group("the network between the Nodes")
    group.add_argument(
        "--underlay-cidr", metavar="CIDR", type=underlay_cidr, default="10.225.51.0/24",
        help="prefix of the Nodes' addresses, which begin with the 11th (default: 10.225.51.0/24)",
    )  # fmt: skip
    group.add_argument(
        "--underlay-mtu", metavar="BYTES", type=mtu, default=1600,
        help="its MTU; VXLAN takes 50 bytes of it (default: 1600)",
    )  # fmt: skip


def _add_outside(parser: Parser) -> None:
    group = parser.add_argument_group(
        "the outside", "A router and a host beside the Nodes; packets are sent from them by --from router and outside."
    )
    group.add_argument(
        "--external-cidr", metavar="CIDR", type=underlay_cidr,
        help="a network of its own for the outside, with a second NIC of each Node, eth1 (default: the Nodes' network)",
    )  # fmt: skip
    group.add_argument(
        "--router", metavar="ADDRESS", type=address, help="the router's address (default: the network's first)"
    )
    group.add_argument(
        "--outside", metavar="ADDRESS", type=address, help="the host's address (default: the network's 200th)"
    )


def _add_node_settings(parser: Parser) -> None:
    group = parser.add_argument_group("the Nodes", "The flags of their agents.")
    group.add_argument(
        "--node-ingress-iface", metavar="NAME", default="",
        help="NIC that takes packets from outside and answers ARP (default: the one with the Node's InternalIP)",
    )  # fmt: skip
    group.add_argument(
        "--arp-interval", metavar="DURATION", type=duration, default=60.0,
        help="time between two gratuitous ARPs for one address; 0: only when a Node takes it over (default: 60s)",
    )  # fmt: skip
    group.add_argument(
        "--arp-fence-after", metavar="DURATION", type=duration, default=0.0,
        help="a Node that was cut off from the API server for so long answers for nothing more; 0: never (default: 0)",
    )  # fmt: skip


def _add_settings(parser: Parser) -> None:
    group = parser.add_argument_group("the installation", "The flags of the controller.")

    def add(name: str, metavar: str, type_: Callable[[str], Any], help_: str) -> None:
        flag = f"--{name.replace('_', '-')}"
        text = f"{help_} (default: {DEFAULTS[name]})"
        group.add_argument(flag, metavar=metavar, type=type_, default=DEFAULTS[name], help=text)

    add("default_subnet_cidr", "CIDR", cidr, "prefix of the Subnet default")
    add("service_cidr", "CIDR", optional_cidr, "the cluster's Services, which no prefix may overlap; '' if unknown")
    vxlan = "where the underlay is not 1500, set it to the underlay's MTU less 50 (VXLAN)"
    add("default_l2_mtu", "BYTES", mtu, f"MTU of L2Networks that name none; {vxlan}")
    add("address_lease", "DURATION", lease_text, "how long an address stays reserved once its NIC is gone")
    silent = "how long an agent may be silent before what its Node answers for moves to another one"
    add("node_lease", "DURATION", node_lease, silent)


def add_output_arguments(parser: Parser) -> None:
    """What to print in the end."""
    output = parser.add_argument_group("the answer", "Only this goes to standard output.")
    output.add_argument(
        "--get", metavar="KIND[/[NAMESPACE/]NAME]", nargs="+", action=_Selections, type=selections, default=[],
        help="objects to print in the end, also by commas: all of a Kind, of all namespaces, or one by its name",
    )  # fmt: skip
    output.add_argument(
        "-o", "--output", metavar="FORMAT", type=output_format,
        help=f"one of {OUTPUTS}; json is always one List (default: table); without --get, prints what was applied",
    )  # fmt: skip


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The installation that the arguments describe."""
    from juneau.engine.settings import Settings

    return Settings(**{name: getattr(arguments, name) for name in DEFAULTS})


def node_settings_of(arguments: argparse.Namespace) -> NodeSettings:
    """What the agents are told."""
    from juneau.engine.settings import NodeSettings

    fence = arguments.arp_fence_after
    if 0 < fence < duration(arguments.node_lease) * 2 / 3:
        why = "a Node in contact would fall silent between two renewals; give it what --node-lease is"
        raise UsageError(f"--arp-fence-after is less than two thirds of --node-lease {arguments.node_lease}: {why}")
    return NodeSettings(arguments.node_ingress_iface, arguments.arp_interval, fence or None)


def outside_of(arguments: argparse.Namespace) -> OutsideSettings:
    """The outside that the arguments describe."""
    from ipaddress import IPv4Network

    from juneau.lab.outside import OutsideSettings

    external = IPv4Network(arguments.external_cidr) if arguments.external_cidr is not None else None
    return OutsideSettings(external, arguments.router, arguments.outside)
