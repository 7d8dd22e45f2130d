"""`juneau lab shell`, fed from a pipe as a script would."""

from __future__ import annotations

import subprocess
import sys

from tests.commands.program import POD, Program, Writer


def talk(*lines: str, arguments: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The shell's answer to these lines."""
    command = [sys.executable, "-m", "juneau", "lab", "shell", *arguments]
    text = "".join(f"{line}\n" for line in lines)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=60)


def test_a_session_does_one_thing_after_the_other(app: str, write: Writer) -> None:
    """The lab stays up between commands, and time moves only by `advance`."""
    other = write("b.yaml", POD.replace("name: a\n", "name: b\n"))
    ended = talk(
        "# a comment, and an empty line",
        "",
        f"apply {other}",
        "get pods -o name",
        "get nwiface a.eth0 -o jsonpath={.status.address}",
        "advance 90s",
        "get pod a",
        "trace --from a --to 10.90.0.5",
        "delete pod a",
        "get pod/a pod/b -o name",
        "nodes",
        "quit",
        "get vpc",
        arguments=("-f", app),
    )
    lines = ended.stdout.splitlines()
    assert lines[:2] == ["pod/a", "pod/b"]
    assert lines[2].startswith("10.90.0.4/24")
    assert "a      Running   90s" in ended.stdout
    assert "answered by 10.90.0.5" in ended.stdout
    assert "pod/a deleted" in ended.stderr
    assert "worker-1   10.225.51.11" in lines[-2]
    assert "juneau>" not in ended.stdout
    assert ended.returncode == 1  # pod/a was not found any more
    assert 'Error from server (NotFound): Pod "a" not found' in ended.stderr


def test_describe_and_explain_print_what_is_known(samples: str) -> None:
    """Description and chain of waits of a Pod that waits."""
    ended = talk("describe pod/vpn", "explain pod vpn", arguments=("-f", samples))
    assert ended.returncode == 0
    for section in ("Metadata:", "Spec:", "Status:", "Conditions:", "History:", "Events:", "Waits:"):
        assert f"\n{section}\n" in ended.stdout
    assert "\n`-- waits for status.address of ElasticIP default/vpn-eip, which is Pending" in ended.stdout


ERRORS = (
    ("frobnicate", 'error: there is no command "frobnicate"; type help'),
    ("get", "error: usage: get KIND"),
    ("delete", "error: usage: delete KIND/NAME"),
    ("delete vpc", "error: 'vpc' is not KIND/NAME"),
    ("apply", "error: usage: apply FILE"),
    ("apply -", "error: standard input is where commands come from"),
    ("apply /nonexistent", 'error: the path "/nonexistent" does not exist'),
    ("advance soon", "error: 'soon' is no duration"),
    ('get "', "error: No closing quotation"),
    ("get vpc -o xml", "'xml' is none of"),
    ("trace --from a", "error: --to is missing"),
    ("trace --from nobody --to 10.0.0.1", 'Pod "nobody" not found'),
    ("describe pod/none", 'Error from server (NotFound): Pod "none" not found'),
    ("node", "error: usage: node cut-off|reconnect|power-off|power-on NAME"),
    ("node worker-1", "error: usage: node cut-off|"),
    ("node kick worker-1", 'error: "kick" is none of cut-off, reconnect, power-off, power-on; usage: node cut-off|'),
    ("node cut-off w", 'Error from server (NotFound): Node "w" not found; there are worker-1, worker-2'),
    ("node reconnect worker-1", "error: node/worker-1 is not cut off"),
    ("node power-on worker-1", "error: node/worker-1 has its power"),
    ("nodes worker-1", "error: nodes takes no argument; write node cut-off|reconnect|power-off|power-on NAME"),
    ("explain foo/x", 'error: the server doesn\'t have a resource type "foo"'),
)


def test_an_error_is_said_and_does_not_end_the_shell() -> None:
    """The next command is read; the exit status remembers."""
    ended = talk(*(line for line, _ in ERRORS), "get vpc/default -o name")
    position = 0
    for line, said in ERRORS:
        position = ended.stderr.find(said, position)
        assert position >= 0, line
    assert "Traceback" not in ended.stderr
    assert (ended.returncode, ended.stdout) == (1, "vpc.juneau.loutres.me/default\n")


def test_habits_of_kubectl_are_understood(app: str) -> None:
    """`apply -f`, `get --help`, Kinds by commas, and a name after its Kind."""
    ended = talk(
        f"apply -f {app}", "get subnet/net -o name", "get subnet net -o name", "get vpc,pods -o name", "get -h"
    )
    lines = ended.stdout.splitlines()
    assert lines[:3] == ["subnet.juneau.loutres.me/net"] * 2 + ["vpc.juneau.loutres.me/app"]
    assert "pod/a" in lines
    assert "usage: get KIND[/[NAMESPACE/]NAME] ... [-o FORMAT]" in lines
    assert ended.returncode == 0, ended.stderr


def test_a_node_loses_its_power_and_comes_back(samples: str, write: Writer) -> None:
    """Its Pod is made anew elsewhere and takes the address along; the Node that comes back answers for it no more."""
    pod = """\
{apiVersion: v1, kind: Pod, metadata: {name: gw, annotations: {juneau.loutres.me/networks:
  '[{"interface": "eth1", "elasticIP": "gw-eip"}]'}}, spec: {nodeName: worker-1}}
"""
    answering = "get arpadvertisements -o wide"
    ended = talk(
        answering,
        "node power-off worker-2",
        "node cut-off worker-2",
        "trace --from outside --to 10.225.51.6",
        "delete pod gw",
        "advance 1m",
        f"apply {write('gw.yaml', pod)}",
        "advance 1m",
        answering,
        "trace --from outside --to 10.225.51.6",
        "node power-on worker-2",
        answering,
        arguments=("-f", samples),
    )
    said = ended.stderr.splitlines()
    assert "node/worker-2 has lost its power" in said
    assert "error: node/worker-2 has no power; node power-on worker-2 gives it back" in said
    assert "node/worker-2 has started anew and reaches the API server" in said
    rows = [line for line in ended.stdout.splitlines() if line.startswith("eip-default-gw-eip")]
    assert [name for row in rows for name in ("worker-1", "worker-2") if name in row] == [
        "worker-2",
        "worker-1",
        "worker-1",
    ]
    assert ended.stdout.index("no answer: ") < ended.stdout.index("answered by 10.225.51.6")


def test_a_node_that_is_cut_off_goes_on_until_it_is_back(samples: str) -> None:
    """Nothing of what it has is taken from it meanwhile."""
    ended = talk(
        "node cut-off worker-2",
        "node cut-off worker-2",
        "advance 5m",
        "trace --from outside --to 10.225.51.6",
        "node reconnect worker-2",
        arguments=("-f", samples),
    )
    said = ended.stderr.splitlines()
    assert "node/worker-2 is cut off from the API server; what runs there goes on" in said
    assert "error: node/worker-2 is cut off already" in said
    assert "node/worker-2 reaches the API server again" in said
    assert "answered by 10.225.51.6" in ended.stdout


def test_help_names_every_command() -> None:
    """`help` lists the commands, `help get` tells of one, and the end of input ends the shell well."""
    ended = talk("help", "help get", "trace --help")
    assert ended.returncode == 0
    for command in (
        "apply",
        "delete",
        "get",
        "describe",
        "explain",
        "trace",
        "advance",
        "node",
        "nodes",
        "help",
        "quit",
    ):
        assert f" {command} " in f" {ended.stdout} ".replace("\n", " ")
    assert "get KIND[/[NAMESPACE/]NAME] ... [-o FORMAT]: print objects." in ended.stdout


def test_standard_input_is_for_commands(juneau: Program) -> None:
    """`-f -` would take the commands for manifests."""
    assert juneau("lab", "shell", "-f", "-").status == 2


def test_a_line_that_is_too_long_is_refused() -> None:
    """It would be taken apart for minutes; the next command is done."""
    ended = talk("apply " + "x" * 5_000_000, "get vpcs -o name")
    assert ended.stderr == "error: a line of 5000006 characters; a command has at most 65536\n"
    assert ended.stdout == "vpc.juneau.loutres.me/default\n"
    assert ended.returncode == 1
