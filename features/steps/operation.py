"""Time, restarts, Nodes that come and go, and commands."""

from __future__ import annotations

import io
import os
import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module

import yaml
from attrs import evolve

from juneau.engine.convert import decode
from juneau.features.grammar import given, then, when
from juneau.features.paths import read_path
from juneau.features.scene import Scene
from juneau.lab.immediate import run
from juneau.resources.allocationlease import Value
from juneau.resources.bootstrap import bootstrap


@when("<duration> passes")
@when("<duration> pass")
def time_passes(scene: Scene, duration: float) -> None:
    """Virtual time moves on, and what becomes due on the way happens."""
    scene.advance(duration)


@when("the controller restarts")
def controller_restarts(scene: Scene) -> None:
    """A new one takes over the same store, knowing only what is stored."""
    scene.restart()


@when("the controller restarts with <flags>")
def controller_restarts_with(scene: Scene, flags: str) -> None:
    """The same with other flags; like any controller that starts, it makes sure of what it makes at its start."""
    settings, words = scene.lab.settings, flags.split()
    for flag, text in zip(words[::2], words[1::2], strict=True):
        name = flag.removeprefix("--").replace("-", "_")
        settings = evolve(settings, **{name: type(getattr(settings, name))(text)})
    scene.lab.settings = settings
    scene.begin()
    run(bootstrap(scene.lab.store, settings))
    run(scene.lab.restart())
    scene.settle()


@when('<number> is stored as the value of AllocationClaim "<name>"')
def number_is_stored(scene: Scene, number: int, name: str) -> None:
    """Somebody writes another status."""
    scene.begin()
    claim = scene.get("AllocationClaim", name)
    run(scene.lab.store.update_status(claim.with_status(value=Value(number=number))))
    scene.settle()


@when('these fields are stored in the status of <kind> "<name>"')
def status_is_stored(scene: Scene, kind: str, name: str, docstring: str) -> None:
    """Somebody writes them, as YAML, beside those that are there."""
    document = scene.document(kind, name)
    document.setdefault("status", {}).update(yaml.safe_load(docstring))
    scene.begin()
    run(scene.lab.store.update_status(decode(scene.lab.registry, document, with_status=True)))
    scene.settle()


@when('Node "<node>" joins')
def node_joins(scene: Scene, node: str) -> None:
    """One more Node."""
    scene.begin()
    run(scene.lab.add_node(node))
    scene.settle()


@given('the file "<name:text>"')
def a_file(scene: Scene, name: str, docstring: str) -> None:
    """A file in the folder where commands run."""
    path = scene.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(docstring + "\n", encoding="utf-8")


@when('"<command:text>" runs')
def command_runs(scene: Scene, command: str) -> None:
    """A command such as `juneau lab run -f lab.yaml`, in a folder of its own; output and status are kept."""
    program, *arguments = shlex.split(command)
    assert program == "juneau", "only juneau itself runs here"
    main = import_module("juneau.__main__").main
    out, err = io.StringIO(), io.StringIO()
    with chdir(scene.folder), redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    scene.output = (int(status or 0), out.getvalue(), err.getvalue())
    print(out.getvalue(), err.getvalue(), sep=os.linesep)  # shown if a later step fails


@then("it prints")
def it_prints(scene: Scene, docstring: str) -> None:
    """Exactly these lines on standard output."""
    found = [line.rstrip() for line in scene.output[1].strip().splitlines()]
    assert found == [line.rstrip() for line in docstring.strip().splitlines()], "\n" + scene.output[1]


@then('it prints "<text>"')
def it_prints_text(scene: Scene, text: str) -> None:
    """This stands somewhere in what it prints."""
    assert text in scene.output[1], scene.output[1]


@then('it says of "<option:text>" "<text>"')
def it_says_of(scene: Scene, option: str, text: str) -> None:
    """This stands in the help on that option, however its lines are broken."""
    found = re.search(rf"^ +{re.escape(option)}\b.*(?:\n {{8,}}.*)*", scene.output[1], re.MULTILINE)
    assert found is not None, scene.output[1]
    assert text in " ".join(found[0].split()), found[0]


@then('"<path>" of the printed "<name:text>" is <value>')
def printed_is(scene: Scene, path: str, name: str, value: object) -> None:
    """A field of the YAML document with that name, of those that it prints."""
    documents = {str(read_path(one, "metadata.name")): one for one in yaml.safe_load_all(scene.output[1]) if one}
    assert name in documents, ", ".join(documents)
    held = read_path(documents[name], path)
    assert held == value, held


@then('it does not print "<text>"')
def it_does_not_print(scene: Scene, text: str) -> None:
    """This stands nowhere in what it prints."""
    assert text not in scene.output[1], scene.output[1]


@then('it complains "<text>"')
def it_complains(scene: Scene, text: str) -> None:
    """This stands somewhere on standard error."""
    assert text in scene.output[2], scene.output[2]


@then("it exits with <status:number>")
def it_exits_with(scene: Scene, status: int) -> None:
    """The exit status."""
    assert scene.output[0] == status, scene.output
