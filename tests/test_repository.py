"""What holds for the repository as a whole: its layout, its packaging, and what must not stand in any file."""

import ast
import configparser
import fnmatch
import importlib
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from setuptools import find_namespace_packages

ROOT = Path(__file__).parent.parent
LINKS = ROOT / "src" / "juneau"
# Folders that are not shipped. A new folder at the top is either named here or gets its link.
NOT_SHIPPED = {".ci", "bench", "changelog.d", "docs", "requirements", "src", "tests"}
DOCUMENTED = ("cni", "drivers", "engine", "resources", "webhook", "src/juneau")

# A host that a file may name in an address: an IP address, a name reserved for examples, one inside a cluster, one that
# is filled in at run time, and the one that XML namespaces are made of.
HARMLESS_HOST = re.compile(
    r"localhost|\d+(\.\d+){3}|\[[\da-f:]+\]|([\w-]+\.)*(example(\.(com|net|org))?|test|invalid|svc|local)|[${<%].*"
    r"|www\.w3\.org"
)
ADDRESS = re.compile(r"\b(?:git\+)?(?:https?|ftp|ssh|git)://(?P<host>\[[^\]]*\]|[^\s/:\"'`)>\]]*)")
FORBIDDEN = {
    "image from a registry": re.compile(r"\bimage:\s*[\"']?[\w-]+(\.[\w-]+)+(:\d+)?/"),
    "package index": re.compile(r"(?<![\w-])--((extra-)?index-url|find-links)\b"),
    "path of a developer's machine": re.compile(r"(?<![\w.*}])/(home|root|Users|work|workspace|builds)/\w"),
}


def ignored(name: str) -> bool:
    """Whether .gitignore names this file or folder."""
    patterns = (ROOT / ".gitignore").read_text().split()
    return name == ".git" or any(fnmatch.fnmatch(name, pattern.rstrip("/")) for pattern in patterns)


def walk() -> Iterator[Path]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not ignored(name)]
        yield from (Path(folder, name) for name in names if not ignored(name))


def repository_files() -> list[Path]:
    """The files git keeps or would add; without git, those that .gitignore leaves. Links are not followed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        paths = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = list(walk())
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


FILES = repository_files()


def setup_cfg() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(delimiters=("=",))
    parser.read(ROOT / "setup.cfg")
    return parser


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines_of_text() -> Iterator[tuple[str, str]]:
    """Each line of each text file, with the place to show: "file:number"."""
    for path in FILES:
        content = path.read_bytes()
        if b"\0" not in content:
            for number, line in enumerate(content.decode().splitlines(), start=1):
                yield f"{relative(path)}:{number}", line


def entry_points() -> list[str]:
    groups = setup_cfg()["options.entry_points"].values()
    return [line.partition("=")[2].strip() for lines in groups for line in lines.strip().splitlines()]


def test_each_top_level_package_has_its_link_and_each_link_its_package() -> None:
    """The folders at the top of the repository and the links in src/juneau are the same set."""
    folders = {path.relative_to(ROOT).parts[0] for path in FILES if path.parent != ROOT} - NOT_SHIPPED
    links = {path.name: os.readlink(path) for path in LINKS.iterdir() if path.is_symlink()}
    assert links == {folder: f"../../{folder}" for folder in folders}


def test_only_juneau_is_installed() -> None:
    """The wheel holds the package juneau and nothing beside it."""
    where = setup_cfg()["options.packages.find"]["where"]
    packages = find_namespace_packages(str(ROOT / where))
    assert [name for name in packages if name.partition(".")[0] != "juneau"] == []
    assert {f"juneau.{path.parent.name}" for path in LINKS.glob("*/__init__.py")} <= set(packages)


@pytest.mark.parametrize("target", entry_points())
def test_entry_points_can_be_imported(target: str) -> None:
    """What an entry point of setup.cfg names exists."""
    module, _, attribute = target.partition(":")
    assert hasattr(importlib.import_module(module), attribute)


def test_each_package_that_setup_cfg_asks_for_is_pinned() -> None:
    """The lock holds every package of setup.cfg, each at one version and with its hashes."""
    cfg = setup_cfg()
    lists = [cfg["options"]["install_requires"], *cfg["options.extras_require"].values()]
    asked = {re.split(r"[\[<>=!~; ]", line)[0].lower() for text in lists for line in text.split("\n") if line}
    lock = (ROOT / "requirements" / "dev.txt").read_text()
    pinned = set(re.findall(r"^([\w.-]+)==\S+.* \\\n +--hash=sha256:", lock, re.MULTILINE))
    assert asked - {"juneau"} <= pinned
    assert len(pinned) == len(re.findall(r"^\w", lock, re.MULTILINE))


def test_no_file_names_a_download_address() -> None:
    """No file says where to fetch something from: where packages and images come from is the machine's own affair."""
    found = [(place, match["host"]) for place, line in lines_of_text() for match in ADDRESS.finditer(line)]
    assert [(place, host) for place, host in found if not HARMLESS_HOST.fullmatch(host.rpartition("@")[2])] == []


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_depends_on_one_machine(what: str) -> None:
    """No file names a registry's host, a package index or a path that only one developer has."""
    assert [f"{place}: {line}" for place, line in lines_of_text() if FORBIDDEN[what].search(line)] == []


def test_no_file_names_the_folder_of_this_checkout() -> None:
    """No file holds the absolute path of the repository it stands in."""
    assert [f"{place}: {line}" for place, line in lines_of_text() if f"{ROOT}/" in line] == []


@pytest.mark.parametrize("folder", DOCUMENTED)
def test_each_module_opens_with_a_docstring(folder: str) -> None:
    """A module says first what it is for and where it stands."""
    modules = [path for path in FILES if path.suffix == ".py" and relative(path).startswith(f"{folder}/")]
    assert modules
    assert [relative(path) for path in modules if not ast.get_docstring(ast.parse(path.read_bytes()))] == []


def test_the_readme_opens_with_two_commands() -> None:
    """A newcomer needs two commands, both of them make's, and they are the first thing the README shows."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    commands = [line.partition("#")[0].split() for line in blocks[0].splitlines() if line.partition("#")[0].strip()]
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(commands) == 2
    assert [command for command in commands if command[0] != "make" or not set(command[1:]) <= set(targets)] == []
