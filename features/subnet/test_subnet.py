"""The scenarios of Subnet."""

from pytest_bdd import scenarios

scenarios(".")
