"""`juneau scenarios`: a user's own .feature files, run with the steps that Juneau's scenarios are written in."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from juneau.commands.arguments import Commands
from juneau.commands.exits import Exit, UsageError

if TYPE_CHECKING:
    from pathlib import Path

_DESCRIPTION = """\
Run .feature files, so that manifests become tests.

Steps speak of nodes, manifests, NICs, frames and time; each scenario gets a lab of its own.
The exit status is 1 if a scenario fails, 2 if a file cannot be run.
"""
_PLUGIN = "juneau.features.plugin"
_REPORT = "juneau.features.brief"
_NEEDED = ("pytest", "pytest_bdd")
# pytest's own: all passed, some failed.
_ENDINGS = {0: Exit.OK, 1: Exit.REFUSED}


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser("scenarios", help="run .feature files as tests", description=_DESCRIPTION)
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a .feature file, or a directory of them")
    parser.add_argument(
        "--dataplane-driver", metavar="NAME", nargs="?", const="help", default="simulated",
        help="who moves packets (default: simulated); without a name, or with 'help', lists what is installed",
    )  # fmt: skip
    parser.add_argument("-v", "--verbose", action="store_true", help="print the name of each scenario, too")
    parser.add_argument("-k", metavar="EXPRESSION", default="", help="only scenarios that match, as with pytest -k")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> Exit:
    """Hand the path to pytest."""
    if arguments.dataplane_driver == "help":
        from juneau.commands import drivers

        return drivers.run(arguments)
    paths = _checked(arguments)
    from juneau.features.wellformed import faults, feature_files

    broken = [line for path in paths for file in feature_files(path) for line in faults(file)]
    if broken:
        print("\n".join(broken), file=sys.stderr)
        return Exit.USAGE
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        return _run_pytest(Path(folder), paths, arguments)


def _checked(arguments: Namespace) -> list[Path]:
    """The paths, once it is known that they can be run; the slow imports come no earlier than here."""
    from importlib.util import find_spec
    from pathlib import Path

    missing = [name.replace("_", "-") for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(f"{' and '.join(missing)} not installed; they come with: pip install 'juneau[scenarios]'")
    if find_spec("juneau.features") is None or find_spec(_PLUGIN) is None:
        raise UsageError("this installation of Juneau has no steps for scenarios")
    paths = [Path(text).resolve() for text in arguments.paths]
    for path, text in zip(paths, arguments.paths, strict=True):
        if not path.exists():
            raise UsageError(f'the path "{text}" does not exist')
        if not (path.suffix == ".feature" if path.is_file() else any(path.rglob("*.feature"))):
            raise UsageError(f'there is no .feature file in "{text}"')
    from juneau.commands.dataplanes import driver

    driver(arguments.dataplane_driver)
    return list(dict.fromkeys(paths))


def _run_pytest(folder: Path, paths: list[Path], arguments: Namespace) -> Exit:
    """In a process and a folder of its own: no configuration of the user's project says how tests are run."""
    import subprocess

    (folder / "test_scenarios.py").write_text(
        f"from pytest_bdd import scenarios\n\nscenarios(*{list(map(str, paths))!r})\n"
    )
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", _PLUGIN, "-p", _REPORT, "-p", "no:terminal"]
    command += ["-p", "no:cacheprovider", "--import-mode=importlib"]
    command += ["--rootdir", str(folder), "--dataplane-driver", arguments.dataplane_driver]
    command += ["--scenario-names"] if arguments.verbose else []
    command += [*(["-k", arguments.k] if arguments.k else []), str(folder / "test_scenarios.py")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    ended = subprocess.run(command, env=environment, check=False)
    return _ENDINGS.get(ended.returncode, Exit.USAGE)
