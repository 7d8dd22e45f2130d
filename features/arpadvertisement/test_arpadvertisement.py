"""The scenarios of ARPAdvertisement."""

from pytest_bdd import scenarios

scenarios(".")
