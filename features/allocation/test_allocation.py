"""The scenarios of pools, claims and leases."""

from pytest_bdd import scenarios

scenarios(".")
