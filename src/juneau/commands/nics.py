"""Which NIC a person means by `[NAMESPACE/]POD[.NIC]`, or by the name of a host outside the cluster."""

from __future__ import annotations

from difflib import get_close_matches
from ipaddress import IPv4Interface

from juneau.commands.probes import Nic, nic
from juneau.engine.driver import OUTSIDE
from juneau.engine.objects import Key
from juneau.engine.world import Cache
from juneau.lab.outside import NAMES, ROUTER
from juneau.lab.session import Session
from juneau.resources import networkinterface, pod
from juneau.resources.nicspec import FIRST_INTERFACE


def find_nic(session: Session, text: str) -> Nic | None:
    """The NIC that is named, eth0 if only its Pod is; one that is not there is refused.

    Names of Pods may have dots, so what is there decides where the Pod's name ends.
    A Pod that is called as a host outside is comes before that.
    """
    namespace, _, name = text.rpartition("/")
    outside = text in NAMES
    namespace = namespace or "default"
    cache = session.lab.cache
    if outside and not _is_there(cache, pod.KIND.name, namespace, name):
        return _outside(session, text)
    if not _is_there(cache, networkinterface.KIND.name, namespace, name):
        owner = name if _is_there(cache, pod.KIND.name, namespace, name) else name.rpartition(".")[0]
        if not _is_there(cache, pod.KIND.name, namespace, owner):
            session.refuse_missing(_missing(cache, namespace, name), _meant_outside(text))
            return None
        if owner == name:
            name = f"{name}.{FIRST_INTERFACE}"
        others = _nics_of(cache, namespace, owner)
        if others and f"{namespace}/{name}" not in others:
            session.refuse(f"error: there is no NetworkInterface {namespace}/{name}; there are {', '.join(others)}")
            return None
    found = nic(cache, namespace, name)
    if isinstance(found, str):
        session.refuse(f"error: {found}")
        return None
    return found


def _outside(session: Session, name: str) -> Nic:
    """The NIC of the router or of the host outside."""
    outside = session.lab.outside
    address = IPv4Interface((outside.router if name == ROUTER else outside.host, outside.network.prefixlen))
    mac = session.site.link_state(OUTSIDE, name, FIRST_INTERFACE).link.mac
    return Nic(OUTSIDE, name, FIRST_INTERFACE, bytes.fromhex(mac.replace(":", "")), address)


def _meant_outside(text: str) -> str:
    """What to say of a name that is nearly that of a host outside."""
    return f"outside the cluster there are {' and '.join(NAMES)}" if get_close_matches(text, NAMES, 1) else ""


def _is_there(cache: Cache, kind: str, namespace: str, name: str) -> bool:
    return cache.get(Key(kind, namespace, name)) is not None


def _missing(cache: Cache, namespace: str, name: str) -> Key:
    """The Pod that was meant: of `web.eth1` it is `web`, if there is one of that name anywhere."""
    shorter = name.rpartition(".")[0]
    known = {held.name for held in cache if held.kind == pod.KIND.name}
    return Key(pod.KIND.name, namespace, shorter if name not in known and shorter in known else name)


def _nics_of(cache: Cache, namespace: str, owner: str) -> list[str]:
    kind = networkinterface.KIND.name
    held = (obj for obj in cache if obj.kind == kind and obj.namespace == namespace)
    return sorted(f"{namespace}/{obj.name}" for obj in held if obj.spec.pod_ref.name == owner)
