"""The scenarios of Pod."""

from pytest_bdd import scenarios

scenarios(".")
