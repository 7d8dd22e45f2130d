"""Who uses an ElasticIP: one ElasticIPAttachment or one NetworkInterface, never two of them.

Only the ElasticIP decides that, and says so in its status; whoever is not named there does not have the address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.objects import Key
from juneau.resources.externals import Carrier, Translation

ATTACHMENT = "ElasticIPAttachment"
INTERFACE = "NetworkInterface"


@frozen
class ElasticIPUse:
    """What has the address, in the same namespace."""

    kind: Annotated[
        str, Mark("ElasticIPAttachment: by NAT; NetworkInterface: carried as it is", choices=(ATTACHMENT, INTERFACE))
    ]
    name: Annotated[str, Mark("name of that object", min_length=1)]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@frozen
class Decision:
    """Who has the address, on which Node; else why nobody has it.

    `rivals` is set in a conflict, `awaited` while it is not safe to give the address to anybody: who has to go first.
    """

    use: ElasticIPUse | None = None
    node: str = ""
    rivals: tuple[ElasticIPUse, ...] = ()
    awaited: tuple[ElasticIPUse, ...] = ()

    def keys(self, namespace: str) -> tuple[Key, ...]:
        """The objects that have to go."""
        return tuple(Key(use.kind, namespace, use.name) for use in (*self.rivals, *self.awaited))


def decide(held: ElasticIPUse | None, translations: Sequence[Translation], carriers: Sequence[Carrier]) -> Decision:
    """Who has an ElasticIP that `held` has had so far.

    An attachment that is being deleted counts no more; an interface counts until it is gone, since its Pod may run.
    """
    live = [translation for translation in translations if not translation.deleting]
    if len(live) > 1 or (live and carriers):
        attachments = tuple(ElasticIPUse(ATTACHMENT, translation.name) for translation in live)
        return Decision(rivals=(*attachments, *(ElasticIPUse(INTERFACE, carrier.name) for carrier in carriers)))
    if live:
        return Decision(ElasticIPUse(ATTACHMENT, live[0].name), live[0].node)
    kept = keep(held, carriers)
    if kept.use is not None:  # H1
        return kept
    leaving = tuple(ElasticIPUse(INTERFACE, carrier.name) for carrier in carriers if carrier.deleting)
    if leaving:  # H2: after a conflict nobody remembers who had the address, and one that goes may still carry it
        return Decision(awaited=leaving)
    if not carriers:
        return Decision()
    first = min(carriers, key=lambda carrier: (carrier.created, carrier.name))  # H3
    return Decision(ElasticIPUse(INTERFACE, first.name), first.node)


def keep(held: ElasticIPUse | None, carriers: Sequence[Carrier]) -> Decision:
    """The interface that has the address keeps it for as long as it is there; nobody else is given it."""
    for carrier in carriers:
        use = ElasticIPUse(INTERFACE, carrier.name)
        if use == held:
            return Decision(use, carrier.node)
    return Decision()
