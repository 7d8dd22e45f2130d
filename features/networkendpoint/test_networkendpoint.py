"""The scenarios of NetworkEndpoint."""

from pytest_bdd import scenarios

scenarios(".")
