"""Files beside a scenario: manifests, and documentation with manifests in it."""

from __future__ import annotations

import re
from pathlib import Path

from juneau.features.grammar import given, then
from juneau.features.scene import Scene

_YAML = re.compile(r"^```ya?ml\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+)`")
_FUNCTION = re.compile(r"`(\w+)\(\)`")
_LINK = re.compile(r"\]\((?!\w+:)([^)#]+)")


@given('the manifests in "<file:text>"')
def manifests_in(scene: Scene, file: str) -> None:
    """A YAML file, or the YAML blocks of a Markdown page, beside the `.feature` file; all have to be accepted."""
    text = (scene.home / file).read_text(encoding="utf-8")
    blocks = _YAML.findall(text) if file.endswith(".md") else [text]
    assert blocks, f"no YAML in {file}"
    scene.apply("---\n".join(blocks))
    assert not scene.refusals, scene.refusal_text


@then('the page "<file:text>" names only files and functions that exist')
def page_is_true(scene: Scene, file: str) -> None:
    """Of a Markdown page in a repository: its links, files in backticks, and functions as `name()` in one of these."""
    page = scene.home / file
    text = page.read_text(encoding="utf-8")
    root = next(parent for parent in page.resolve().parents if (parent / "setup.cfg").exists())
    files = [root / name for name in _FILE.findall(text)]
    missing = [str(path) for path in files if not path.exists()]
    missing += [link for link in _LINK.findall(text) if not (page.parent / link).exists()]
    code = "".join(_source(path) for path in files)
    missing += [f"{name}()" for name in _FUNCTION.findall(text) if f"def {name}(" not in code]
    assert files, f"{file} names no file"
    assert not missing, missing


def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.suffix == ".py" and path.exists() else ""
