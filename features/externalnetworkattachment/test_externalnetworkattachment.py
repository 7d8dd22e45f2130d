"""The scenarios of ExternalNetworkAttachment."""

from pytest_bdd import scenarios

scenarios(".")
