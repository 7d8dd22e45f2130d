"""The scenarios of NetworkACL."""

from pytest_bdd import scenarios

scenarios(".")
