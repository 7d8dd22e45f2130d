"""`juneau scenarios`: a user's own .feature files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands.program import Program, Writer

FEATURE = """\
Feature: A segment of my own

  Scenario: Two Pods on it reach each other
    Given a lab with nodes worker-1, worker-2
    And these manifests
      \"\"\"
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: lab}, spec: {}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: web}
      spec: {vpc: lab, cidr: 10.90.0.0/24}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {juneau.loutres.me/subnet: web}}, spec: {}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: b, annotations: {juneau.loutres.me/subnet: OTHER}}, spec: {}}
      \"\"\"
    When eth0 of Pod "a" pings eth0 of Pod "b"
    Then the ping is answered
"""


def run_apart(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """In a process and a folder of its own."""
    command = [sys.executable, "-m", "juneau", "scenarios", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=cwd)


@pytest.mark.parametrize(("subnet", "status"), [("web", 0), ("default", 1)])
def test_a_users_scenario_runs_with_juneaus_steps(tmp_path: Path, write: Writer, subnet: str, status: int) -> None:
    """Passing scenarios end with 0, failing ones with 1; the user's own pytest configuration does not matter."""
    path = write("own.feature", FEATURE.replace("OTHER", subnet))
    write("pytest.ini", "[pytest]\naddopts = --nonsense\n")
    ended = run_apart(path, cwd=tmp_path)
    assert ended.returncode == status, ended.stdout + ended.stderr
    assert "1 passed" in ended.stdout if status == 0 else "1 failed" in ended.stdout


@pytest.mark.parametrize("driver", [(), ("--dataplane-driver", "magic")])
def test_what_cannot_be_run_is_a_usage_error(juneau: Program, write: Writer, driver: tuple[str, ...]) -> None:
    """A missing path, a file that is no feature, a folder without one, a driver that is not there."""
    path = write("own.feature", FEATURE) if driver else "/nonexistent.feature"
    ended = juneau("scenarios", path, *driver)
    assert ended.status == 2
    assert "magic" in ended.err if driver else 'the path "/nonexistent.feature" does not exist' in ended.err


def test_a_folder_without_features_is_a_usage_error(juneau: Program, write: Writer, tmp_path: Path) -> None:
    """Nothing to run is not taken for success."""
    text = write("a.txt", "")
    assert juneau("scenarios", str(tmp_path)).err == f'error: there is no .feature file in "{tmp_path}"\n'
    assert juneau("scenarios", text).status == 2


BROKEN = """\
Feature: Broken

  Scenario: A Pod is waited for
    Given a lab
    When the pod "a" is deleted

  Scenario: A table is forgotten
    Given these Pods

  Scenario: A doc string is forgotten
    When this manifest is applied
"""


def test_what_fails_is_told_in_a_line_without_a_traceback(tmp_path: Path, write: Writer) -> None:
    """File, line, step and reason; a packet's way stands once; -v names all scenarios; several paths are run."""
    paths = write("own.feature", FEATURE.replace("OTHER", "default")), write("broken.feature", BROKEN)
    ended = run_apart(*paths, "-v", cwd=tmp_path)
    lines = ended.stdout.splitlines()
    assert "own.feature:19: Then the ping is answered - found: none" in lines
    assert ended.stdout.count("POD_EGRESS (100)  ifindex_subnet") == 2  # the ARP request, and the packet
    assert 'broken.feature:5: When the pod "a" is deleted - there is no such step; did you mean one of these?' in lines
    assert '  When <kind> "<name>" is deleted' in lines
    needs = "the step needs a table below it, with rows such as | name | value |"
    assert f"broken.feature:8: Given these Pods - {needs}" in lines
    needs = 'the step needs a doc string below it, between lines of """'
    assert f"broken.feature:11: When this manifest is applied - {needs}" in lines
    assert "FAILED own.feature:3: Two Pods on it reach each other" in lines
    assert (lines[-1], ended.returncode, ended.stderr) == ("4 failed", 1, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "own.feature:1: no Feature in it; begin with a line such as Feature: My network"),
        (
            "Feature: x\n\n  Scenaro: y\n    Given a lab\n",
            'own.feature:1: the Feature holds no Scenario; at own.feature:3, did you mean "Scenario:" by "Scenaro:"?',
        ),
        (
            "Feature: x\n  Scenario: y\n    Given a lab\n  Scenaro: z\n",
            'own.feature:4: "Scenaro:" is no keyword; did you mean "Scenario:"?',
        ),
        (
            "Feature: x\n  Scenario: y\n    Gven a lab\n",
            'own.feature:2: the Scenario "y" has no step; did you mean "Given" by "Gven"?',
        ),
        (
            "Feature: x\n  Scenario: y\n    Given a lab\n    Thn it is up\n",
            'own.feature:4: "Thn" begins neither a step nor a table; did you mean "Then"?',
        ),
    ],
)
def test_a_file_that_is_no_gherkin_is_told_with_its_line(tmp_path: Path, write: Writer, text: str, said: str) -> None:
    """Also where Gherkin itself would take the slip for a description, and run nothing."""
    ended = run_apart(write("own.feature", text), cwd=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", f"{said}\n")
