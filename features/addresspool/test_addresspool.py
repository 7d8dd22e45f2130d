"""The scenarios of AddressPool."""

from pytest_bdd import scenarios

scenarios(".")
