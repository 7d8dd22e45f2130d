"""The scenarios of ExternalNetwork."""

from pytest_bdd import scenarios

scenarios(".")
