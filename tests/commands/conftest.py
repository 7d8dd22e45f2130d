"""The program run in this process, and manifests for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands.program import POD, ROOT, SUBNET, VPC, Ended, Program, Writer

from juneau.__main__ import main


@pytest.fixture
def juneau(capsys: pytest.CaptureFixture[str]) -> Program:
    """Runs the program with these arguments."""

    def run(*arguments: str) -> Ended:
        capsys.readouterr()
        status = main(arguments)
        printed = capsys.readouterr()
        return Ended(status, printed.out, printed.err)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Writes a file and returns its path."""

    def written(name: str, text: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    return written


@pytest.fixture
def app(write: Writer) -> str:
    """A Vpc, a Subnet and a Pod in one file."""
    return write("app.yaml", "---\n".join((VPC, SUBNET, POD)))


@pytest.fixture
def samples() -> str:
    """The sample manifests."""
    return str(ROOT / "manifests" / "samples")
