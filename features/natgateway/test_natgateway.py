"""The scenarios of NATGateway."""

from pytest_bdd import scenarios

scenarios(".")
