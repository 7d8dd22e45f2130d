"""A lab in conversation: what it does, what it says, and what it counts as refused."""

from __future__ import annotations

import pytest
from tests.lab.talk import POD, SUBNET, VPC, Talk

from juneau.engine.objects import is_ready
from juneau.engine.times import time_text
from juneau.lab.immediate import run
from juneau.lab.lab import Change
from juneau.lab.reference import Reference


def test_after_each_document_all_is_at_rest(talk: Talk) -> None:
    """Nothing is left to do when the next document comes."""
    for text in (VPC, SUBNET, POD):
        talk.apply(text)
        assert talk.session.lab.loop.queue.idle
    pod = talk.held("Pod", "a", "default")
    assert pod is not None
    assert pod.status.phase == "Running"


def test_a_session_begins_at_the_same_time_and_time_moves_only_when_told(talk: Talk) -> None:
    """Virtual time begins with the year 2026."""
    talk.apply(VPC, SUBNET, POD)
    begun = talk.session.clock.now()
    assert begun == Talk().session.clock.now()
    talk.session.advance(90.0)
    assert talk.session.clock.now() == begun + 90.0


def test_time_ends_before_it_cannot_be_written(talk: Talk) -> None:
    """A century before the year 10000, since what lasts a century must still have a date; a refusal changes nothing."""
    talk.session.advance(7800 * 366 * 86400.0)
    reached = talk.session.clock.now()
    talk.session.advance(100 * 365 * 86400.0)
    assert talk.session.clock.now() == reached
    assert talk.lines[-1] == f"error: virtual time ends at 9900-01-01T00:00:00Z, and it is {time_text(reached)}"
    assert talk.session.refusals == 1


def test_what_applying_changed_is_known(talk: Talk) -> None:
    """Created, then unchanged, then configured; a field that is left out again is taken back."""
    lab = talk.session.lab
    plain = {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "Vpc", "metadata": {"name": "app"}, "spec": {}}
    labelled = plain | {"metadata": {"name": "app", "labels": {"tier": "gold"}}}
    changes = [run(lab.apply_document(document)).change for document in (plain, plain, labelled, labelled, plain)]
    assert changes == [Change.CREATED, Change.UNCHANGED, Change.CONFIGURED, Change.UNCHANGED, Change.CONFIGURED]


def test_a_refused_document_changes_nothing_and_the_next_is_done(talk: Talk) -> None:
    """The refusal is counted and names file, document and line."""
    said = talk.apply(VPC, SUBNET.replace("10.90.0.0", "banana"), "a: [\n")
    assert said[0] == "vpc.juneau.loutres.me/app created"
    assert said[1].startswith('Error from server (Invalid): error when creating "x.yaml" (document 2, line 3): Subnet')
    assert said[2].startswith("error: error parsing x.yaml, line ")
    assert talk.session.refusals == 2
    assert talk.held("Subnet", "net") is None


def test_items_of_a_list_are_told_apart(talk: Talk) -> None:
    """A List is one document; an error names the item."""
    said = talk.apply("{kind: List, apiVersion: v1, items: [" + VPC.strip() + ", {kind: Vpc}]}\n")
    assert said[0] == "vpc.juneau.loutres.me/app created"
    assert "(document 1, item 2, line 1)" in said[1]


def test_deletion_is_told_when_it_is_done(talk: Talk) -> None:
    """What finalizers hold is said to be held, and by which."""
    talk.apply(VPC, SUBNET)
    assert talk.delete("subnet/net") == ["subnet.juneau.loutres.me/net deleted"]
    held = talk.apply(VPC.replace("name: app", "name: kept, finalizers: [example.com/keep]"))
    assert held == ["vpc.juneau.loutres.me/kept created"]
    assert talk.delete("vpc/kept") == [
        "vpc.juneau.loutres.me/kept is being deleted, and stays until these finalizers are gone: example.com/keep"
    ]


def test_what_is_in_a_namespace_that_goes_is_said_to_hold_it(talk: Talk) -> None:
    """A Namespace has no finalizer to name; it is held by its content."""
    talk.apply(
        "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n",
        POD.replace("name: a", "name: a, namespace: shop, finalizers: [example.com/keep]"),
    )
    assert talk.delete("namespace/shop") == [
        "namespace/shop is being deleted, and stays until what is in it is gone: Pod a"
    ]
    namespace = talk.held("Namespace", "shop")
    assert namespace is not None
    assert namespace.status.phase == "Terminating"


def test_references_are_read_as_kubectl_does(talk: Talk) -> None:
    """Short names and any case for Kinds; the namespace default where none is given; none for cluster-wide Kinds."""
    talk.apply(VPC, SUBNET, POD)
    assert [obj.name for _, group in talk.session.select([Reference("PO", "", "a")]) for obj in group] == ["a"]
    assert talk.session.find(Reference("nwiface", "default", "a.eth0")) is not None
    assert talk.session.find(Reference("vpc", "default", "app")) is None
    assert talk.lines[-1] == "error: Vpc is not in a namespace; write vpc/app"


def test_an_object_that_is_asked_for_twice_is_shown_once(talk: Talk) -> None:
    """Kinds stand in the order of their first mention."""
    talk.apply(VPC)
    groups = talk.session.select([Reference("vpc", "", "app"), Reference("subnet"), Reference("vpcs")])
    assert [(kind.name, [obj.name for obj in objects]) for kind, objects in groups] == [
        ("Vpc", ["app", "default"]),
        ("Subnet", ["default"]),
    ]


def test_a_warning_is_told_once_and_only_while_it_holds(talk: Talk) -> None:
    """A Pod that waits for a Subnet is warned about; that it had no Node for a moment is no news."""
    said = talk.apply(POD)
    assert said[1:] == [
        "Warning: Pod default/a: waiting for the network of a Pod NIC: eth0: Subnet net does not exist",
    ]
    talk.session.advance(3600.0)
    assert not any(line.startswith("Warning") for line in talk.lines[2:])
    talk.apply(VPC, SUBNET)
    pod = talk.held("Pod", "a", "default")
    assert pod is not None
    assert pod.status.phase == "Running"


@pytest.mark.parametrize("count", [1, 15])
def test_what_waits_is_listed_in_the_end(count: int) -> None:
    """What no warning has named gets a line each; of many, ten and a number."""
    talk = Talk()
    talk.apply(VPC, SUBNET)
    for number in range(count):
        talk.apply(POD.replace("name: a", f"name: a{number:02}").replace("spec: {}", "spec: {nodeName: gone}"))
    before = len(talk.lines)
    talk.session.tell_what_waits()
    said = talk.lines[before:]
    assert said[0].startswith("Not ready: NetworkInterface/default/a00.eth0 (WaitingForInterface: ")
    assert len(said) == 2 * count if count == 1 else said[10:] == ["Not ready: 20 more"]


def test_what_the_scheduler_and_the_runtime_say_is_told_in_the_end(talk: Talk) -> None:
    """That a Pod waits for its NIC says less than why its Node cannot make its sandbox."""
    talk.apply(
        POD.replace("annotations: {juneau.loutres.me/subnet: net}", "").replace("spec: {}", "spec: {nodeName: gone}")
    )
    talk.session.tell_what_waits()
    assert talk.lines[-1] == "Not ready: Pod/default/a (FailedCreatePodSandBox: there is no Node gone)"


def test_a_pod_that_has_ended_is_not_said_to_wait(talk: Talk) -> None:
    """It has no NICs any more, and needs none."""
    talk.apply(VPC, SUBNET, POD)
    pod = talk.held("Pod", "a", "default")
    assert pod is not None
    run(talk.session.lab.store.update_status(pod.with_status(phase="Succeeded")))
    talk.session.advance(1.0)
    before = len(talk.lines)
    talk.session.tell_what_waits()
    assert talk.lines[before:] == []


def test_nodes_that_are_named_are_there_and_ready() -> None:
    """Each Node has an address of the underlay and one of the default Subnet."""
    talk = Talk(["one"])
    endpoint = talk.held("NetworkEndpoint", "juneau-node.one", "juneau-system")
    assert endpoint is not None
    assert is_ready(endpoint)
    assert talk.held("Node", "worker-1") is None
