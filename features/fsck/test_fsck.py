"""The scenarios of audits: what is wrong with objects that are stored already."""

from pytest_bdd import scenarios

scenarios(".")
