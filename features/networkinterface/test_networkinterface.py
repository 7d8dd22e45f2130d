"""The scenarios of NetworkInterface."""

from pytest_bdd import scenarios

scenarios(".")
