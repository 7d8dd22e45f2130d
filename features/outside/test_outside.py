"""The scenarios of what is between the cluster and the outside."""

from pytest_bdd import scenarios

scenarios(".")
