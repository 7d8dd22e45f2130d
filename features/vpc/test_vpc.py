"""The scenarios of Vpc."""

from pytest_bdd import scenarios

scenarios(".")
