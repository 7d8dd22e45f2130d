"""The program as a whole: help, exit statuses, and how it ends when something comes between."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from argparse import Namespace

import pytest
from tests.commands.program import VPC, Program, Writer

from juneau.__main__ import run

HEAVY = {"asyncio", "attr", "attrs", "cattrs", "importlib.metadata", "json", "logging", "pytest", "scapy", "subprocess"}
HEAVY |= {"tempfile", "transitions", "yaml", "juneau.engine.objects", "juneau.lab.lab", "juneau.resources.vpc"}
COMMANDS = (
    "demo",
    "lab",
    "lab run",
    "lab trace",
    "lab shell",
    "explain",
    "fsck",
    "scenarios",
    "diagram",
    "crds",
    "drivers",
)


def run_apart(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """In a process of its own."""
    command = [sys.executable, "-m", "juneau", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=60)


def test_help_imports_nothing_that_is_slow_to_load() -> None:
    """`juneau --help` comes at once: neither libraries nor the engine are loaded for it."""
    script = "import sys; from juneau.__main__ import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert HEAVY & set(ended.stderr.split()) == set()
    assert "exit status: 0 done" in ended.stdout


def test_a_lab_without_packets_does_not_load_scapy(app: str) -> None:
    """`juneau lab run` does without the slowest library."""
    script = "import sys; from juneau.__main__ import main; main(sys.argv[1:]); print('scapy' in sys.modules)"
    arguments = ["lab", "run", "-f", app]
    ended = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"


@pytest.mark.parametrize("command", [*COMMANDS, "version"])
def test_every_command_has_help(juneau: Program, command: str) -> None:
    """Help of a command says what it is for and ends well."""
    ended = juneau(*command.split(), "--help")
    assert ended.status == 0
    assert ended.out.startswith(f"usage: juneau {command}")
    assert ended.err == ""


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("lab",), ("lab", "run", "--nonsense"), ("lab", "nonsense")])
def test_wrong_use_ends_with_2(juneau: Program, arguments: tuple[str, ...]) -> None:
    """What cannot be run as it was given is a usage error: one or two lines, and status 2."""
    ended = juneau(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("error: ")
    assert ended.err.count("\n") <= 2


def test_options_are_not_guessed_from_their_beginnings(juneau: Program) -> None:
    """`--del` is not taken for `--delete`."""
    assert juneau("lab", "run", "--del", "vpc/app").status == 2


@pytest.mark.parametrize("arguments", [("version",), ("--version",)])
def test_version_is_one_line(juneau: Program, arguments: tuple[str, ...]) -> None:
    """The version of Juneau and that of Python stand in one line."""
    assert re.fullmatch(r"juneau \d+\.\d+\.\d+ \(Python 3\.\d+\.\d+\S*\)\n", juneau(*arguments).out)


def test_crds_prints_one_definition_per_kind(juneau: Program) -> None:
    """The CRDs are those of Juneau's own Kinds, not of the API server's."""
    names = re.findall(r"^  name: (\S+)\.juneau\.loutres\.me$", juneau("crds").out, re.MULTILINE)
    assert {"vpcs", "subnets", "l2networks", "networkinterfaces"} <= set(names)
    assert "pods" not in names


@pytest.mark.parametrize("arguments", [("--debug", "explain"), ("explain", "--debug")])
def test_debug_may_stand_anywhere(juneau: Program, arguments: tuple[str, ...]) -> None:
    """`--debug` is understood before and after the command, and does not turn wrong use into a traceback."""
    ended = juneau(*arguments)
    assert ended.status == 2
    assert "unrecognized" not in ended.err
    assert "Traceback" not in ended.err


def test_a_reader_that_leaves_ends_the_program_quietly(app: str) -> None:
    """When the reader of a pipe has gone there is no traceback."""
    command = [sys.executable, "-m", "juneau", "lab", "run", "-f", app, "--get", "vpc"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 141
    assert "Traceback" not in err
    assert "BrokenPipe" not in err


def test_ctrl_c_ends_the_program_quietly(write: Writer) -> None:
    """An interrupt is one word and the status of shells for it."""
    command = [sys.executable, "-m", "juneau", "lab", "run", "-f", write("vpc.yaml", VPC), "-"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "vpc.juneau.loutres.me/app created\n"
    process.send_signal(signal.SIGINT)  # while it waits for standard input
    assert process.communicate(timeout=60)[1] == "interrupted\n"
    assert process.returncode == 130


def test_manifests_come_from_standard_input() -> None:
    """`-f -` reads a pipe, and errors name it as kubectl does."""
    ended = run_apart("lab", "run", "-f", "-", "--get", "vpc/app", "-o", "name", stdin=f"{VPC}---\nkind: Nothing\n")
    assert ended.stdout == "vpc.juneau.loutres.me/app\n"
    assert ended.returncode == 1
    assert "error: error validating \"STDIN\" (document 2, line 3): Object 'apiVersion' is missing" in ended.stderr


def test_an_empty_standard_input_is_an_error() -> None:
    """Nothing to apply is said, since the pipe that should have brought it failed."""
    ended = run_apart("lab", "run", "-f", "-")
    assert ended.returncode == 1
    assert ended.stderr.startswith("error: no objects passed to apply")


def fail(_arguments: Namespace) -> int:
    """A command with a fault in it."""
    raise ZeroDivisionError("too small")


def test_an_unexpected_error_is_one_line_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    """A fault of Juneau's own shows no traceback unless that was asked for."""
    assert run(Namespace(run=fail, debug=False)) == 1
    said = capsys.readouterr().err.splitlines()
    assert said == ["error: ZeroDivisionError: too small", "This is unexpected; --debug shows where it comes from."]
    with pytest.raises(ZeroDivisionError):
        run(Namespace(run=fail, debug=True))
