"""The scenarios of SecurityGroup."""

from pytest_bdd import scenarios

scenarios(".")
