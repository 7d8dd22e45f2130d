"""The plugin as a user's own scenarios meet it: tags, failures, and files beside a scenario."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FEATURE = """\
Feature: Mine

  @S4-2 @slow
  Scenario: It fails after a frame
    Given a lab
    And the manifests in "lab.yaml"
    When eth1 of Pod "a" sends a frame to everybody
    Then nobody receives it

  Scenario: It speaks of what nobody knows
    Given a lab
    When pigs fly

  Scenario: It names a Kind that is not there
    Given a lab
    Then Widget "a" exists
"""
LAB = """\
{apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: lab}, spec: {}}
---
{apiVersion: juneau.loutres.me/v1alpha1, kind: L2Network, metadata: {name: plain}, spec: {vpc: lab}}
---
apiVersion: v1
kind: Pod
metadata: {name: a, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "plain"}]'}}
spec: {}
---
apiVersion: v1
kind: Pod
metadata: {name: b, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "plain"}]'}}
spec: {}
---
{apiVersion: v1, kind: Pod, metadata: {name: c, annotations: {juneau.loutres.me/subnet: missing}}, spec: {}}
"""


def run_apart(folder: Path) -> subprocess.CompletedProcess[str]:
    """In a folder and a process of its own, with markers as strict as they can be."""
    (folder / "own.feature").write_text(FEATURE)
    (folder / "lab.yaml").write_text(LAB)
    (folder / "test_own.py").write_text('from pytest_bdd import scenarios\n\nscenarios(".")\n')
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "juneau.features.plugin", "--strict-markers"]
    command += ["--junit-xml", "report.xml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_a_failing_scenario_tells_what_happened(tmp_path: Path) -> None:
    """The packet's way, what waits and why, and the step that nobody knows; tags are properties, not markers."""
    ended = run_apart(tmp_path)
    assert "3 failed" in ended.stdout, ended.stdout + ended.stderr
    assert "juneau: a frame from eth1 of a" in ended.stdout
    assert "L2_FLOOD" in ended.stdout
    assert "Subnet missing does not exist" in ended.stdout
    assert "pigs fly" in ended.stdout
    assert "there is no Kind Widget" in ended.stdout
    report = (tmp_path / "report.xml").read_text()
    assert '<property name="promise" value="S4-2"' in report
    assert '<property name="promise" value="slow"' in report


def test_a_driver_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Not a traceback, and not a test that passes."""
    (tmp_path / "own.feature").write_text("Feature: Mine\n\n  Scenario: One\n    Given a lab\n")
    (tmp_path / "test_own.py").write_text('from pytest_bdd import scenarios\n\nscenarios(".")\n')
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "juneau.features.plugin", "--dataplane-driver", "magic"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode
    assert "no dataplane driver 'magic'" in ended.stdout + ended.stderr
