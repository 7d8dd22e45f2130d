"""Finding a free address in a pool of a /8 that is taken up to some point, as a claim does it."""

from __future__ import annotations

from collections.abc import Hashable
from ipaddress import IPv4Address, IPv4Network

from attrs import Factory, define

from bench.measure import Figure, hand_over, rate
from juneau.engine.numbers import NumberSet
from juneau.engine.world import Cache, Reader
from juneau.resources import allocationpool, registry
from juneau.resources.allocationpool import AddressSpace, AllocationPoolSpec, lowest_free

NETWORK = IPv4Network("10.0.0.0/8")
LOW, HIGH = int(NETWORK.network_address) + 1, int(NETWORK.broadcast_address) - 1
SEARCHES = 50_000
SCATTERED = 4_096  # taken addresses behind the wanted one, so that the set has many intervals


@define(eq=False)
class FilledCache(Cache):
    """A cache in which the addresses of the pool are taken, without sixteen million leases."""

    taken: NumberSet = Factory(NumberSet)

    def numbers(self, index: str, slot: Hashable) -> NumberSet:
        return self.taken


def taken_below(first_free: int) -> NumberSet:
    """Everything below is taken, and some of what is above."""
    taken = NumberSet([LOW], [first_free - 1]) if first_free > LOW else NumberSet()
    step = max((HIGH - first_free) // SCATTERED, 2)
    for number in range(first_free + step, HIGH, step):
        taken.add(number)
    return taken


def main() -> None:
    """Measure at the beginning, in the middle and at the end."""
    pool = allocationpool.KIND.new("big", AllocationPoolSpec("ip", ip=AddressSpace((str(NETWORK),))))
    figures: list[Figure] = []
    for name, first_free in (("first", LOW), ("middle", (LOW + HIGH) // 2), ("last", HIGH)):
        reader = Reader(FilledCache(registry(), taken=taken_below(first_free)))
        if lowest_free(pool, reader) != first_free:
            raise SystemExit(f"expected {IPv4Address(first_free)}")

        def search(count: int, reader: Reader = reader) -> None:
            for _ in range(count):
                lowest_free(pool, reader)

        figures.append(Figure("free address in a /8", name, rate(search, SEARCHES), "per s", at_least=100_000))
    hand_over(figures)


if __name__ == "__main__":
    main()
