"""The scenarios of BGPPeer, BGPAdvertisement and BGPNodeState."""

from pytest_bdd import scenarios

scenarios(".")
