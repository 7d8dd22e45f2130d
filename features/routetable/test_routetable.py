"""The scenarios of RouteTable."""

from pytest_bdd import scenarios

scenarios(".")
