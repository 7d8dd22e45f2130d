"""One object in full."""

from __future__ import annotations

from tests.lab.talk import POD, SUBNET, VPC, Talk

from juneau.engine.objects import Key
from juneau.lab.describe import describe, explained


def described(talk: Talk, kind: str, name: str, namespace: str = "") -> str:
    obj = talk.held(kind, name, namespace)
    assert obj is not None
    return describe(talk.session, obj)


def test_a_description_has_what_was_asked_and_what_came_of_it(talk: Talk) -> None:
    """Spec, status, conditions and the way through the phases."""
    talk.apply(VPC, SUBNET, POD)
    text = described(talk, "NetworkInterface", "a.eth0", "default")
    assert text.startswith("NetworkInterface default/a.eth0 (juneau.loutres.me/v1alpha1)\nMetadata:\n")
    assert "\n  subnet: net\n" in text
    assert "\n  address: 10.90.0.4/24\n" in text
    assert "Pending     Allocated   WaitingForInterface" in text
    assert text.endswith("Waits:\n  NetworkInterface default/a.eth0 is Ready (ReconcileSucceeded) for 0s\n")


def test_sections_with_nothing_to_say_are_left_out(talk: Talk) -> None:
    """A Namespace has no conditions and no events."""
    text = described(talk, "Namespace", "default")
    assert "Conditions:" not in text
    assert "Events:" not in text


def test_events_of_an_object_stand_with_it(talk: Talk) -> None:
    """What the PodController told people about this Pod, and about no other."""
    talk.apply(POD)
    lines = described(talk, "Pod", "a", "default").partition("Events:\n")[2].splitlines()
    assert [line.split(maxsplit=3)[1:] for line in lines[1:3]] == [
        ["Warning", "WaitingForNetwork", "waiting for the network of a Pod NIC: eth0: Subnet net does not exist"],
        ["Warning", "FailedCreatePodSandBox", "there is no NetworkInterface for eth0 yet"],
    ]
    talk.apply(POD.replace("name: a", "name: b"))
    assert described(talk, "Pod", "a", "default").count("Events:") == 1


def test_an_endpoint_that_does_not_exist_is_led_to_its_nic_and_pod(talk: Talk) -> None:
    """The chain goes up as well: an endpoint is made for a NIC, and that for a Pod."""
    talk.apply(POD)
    lines = explained(talk.session, Key("NetworkEndpoint", "default", "a.eth0")).splitlines()
    assert lines[0] == "NetworkEndpoint default/a.eth0 does not exist"
    assert lines[1] == "`-- waits for NetworkInterface default/a.eth0, which does not exist"
    assert "Pod default/a, which is Pending (WaitingForNetwork)" in lines[3]
    assert lines[-1].endswith("Subnet net, which does not exist")


def test_the_chain_ends_at_what_the_runtime_is_told(talk: Talk) -> None:
    """The Node is there and well; why it does not attach the interface is known to its CNI."""
    segment = "{apiVersion: juneau.loutres.me/v1alpha1, kind: L2Network, metadata: {name: lan}, spec: {vpc: app, %s}}\n"
    networks = '[{"interface": "eth0", "l2Network": "lan"}]'
    pod = (
        f"{{apiVersion: v1, kind: Pod, metadata: {{name: a, annotations: {{juneau.loutres.me/networks: '{networks}'}}}}"
    )
    talk.apply(VPC, segment % "cidr: 10.91.0.0/24, gateway: {}", f"{pod}, spec: {{nodeName: late}}}}\n")
    lab = talk.session.lab
    lab.store.admission = ()
    talk.apply(segment % "mtu: 1400", "{apiVersion: v1, kind: Node, metadata: {name: late}}\n")
    lines = explained(talk.session, Key("Pod", "default", "a")).splitlines()
    assert lines[-2].endswith("waits for Node late, which is Ready (ReconcileSucceeded) for 0s")
    assert lines[-1].strip().startswith("it cannot attach the Pod: NetworkInterface a.eth0 has no address, and")


def test_a_nic_of_no_pod_is_just_missing(talk: Talk) -> None:
    """A name without a Pod's part has nobody who makes it."""
    assert explained(talk.session, Key("NetworkInterface", "default", "x")).count("\n") == 1
