"""`juneau fsck`: what is wrong with objects that are stored already, and what to do about it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from juneau.commands.arguments import Commands, add_world_arguments, lab_defaults
from juneau.commands.exits import Exit, UsageError

if TYPE_CHECKING:
    from juneau.engine.audit import Finding
    from juneau.engine.kind import Registry
    from juneau.engine.objects import AnyObject
    from juneau.engine.world import Cache

_DESCRIPTION = """\
Check everything that is stored, and change nothing.

It finds objects that break rules which came after them or were never asked, such as prefixes and pools that overlap,
and what does not fit together: values that two objects have or that nobody gives back, addresses outside of their
pools, references and finalizers whose cause is gone. With each finding it says what to do.
The same shows on the objects as the condition Valid=False.

--stored takes objects as they stand, without admission and with their status, and nothing moves. What is not in the
files counts as not there, so give all of it; of the options below only those of the installation count.
-f and the like bring manifests to life in a lab instead.
The exit status is 0 if nothing was found, and 1 if something was, or could not be read.
"""
_EPILOG = """\
examples:
  kinds=$(kubectl api-resources --api-group=juneau.loutres.me -o name | paste -sd,)
  kubectl get -A -o yaml pods,nodes,namespaces,leases,$kinds | juneau fsck --stored -
  juneau fsck --stored dump.yaml -o json
  juneau fsck -f app.yaml
"""
_OUTPUTS = ("table", "yaml", "json")


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser(
        "fsck",
        help="what is wrong with objects that are stored already",
        usage="juneau fsck {--stored FILE ... | -f FILE ... [--delete KIND/NAME ...] [--advance DURATION ...]}"
        " [-o FORMAT] [OPTION ...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--stored", metavar="FILE", nargs="+", action="extend", default=[],
        help="objects as they are stored: a file, a directory (*.yaml, *.yml, *.json, sorted), or - for standard input",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FORMAT", choices=_OUTPUTS, default="table",
        help=f"one of {', '.join(_OUTPUTS)} (default: table)",
    )  # fmt: skip
    add_world_arguments(parser)
    parser.set_defaults(run=run, lab_defaults=lab_defaults(parser))


def run(arguments: Namespace) -> Exit:
    """Bring up what is to be checked, and print the findings."""
    if arguments.dataplane_driver == "help":
        from juneau.commands import drivers

        return drivers.run(arguments)
    if bool(arguments.stored) == bool(arguments.orders):
        raise UsageError(
            "give what is stored with --stored, or else manifests to be run in a lab with -f"
            if not arguments.stored
            else "what is given with --stored is checked as it stands, and nothing can be done to it: leave out"
            " -f, --delete and --advance"
        )
    if arguments.stored:
        _refuse_lab_options(arguments)
    from juneau.commands.worlds import say
    from juneau.engine.audit import findings

    cache, refusals = _stored(arguments) if arguments.stored else _lived(arguments)
    found, count = findings(cache), sum(1 for _ in cache)
    sys.stdout.write(written(found, cache.registry, arguments.output))
    say(_summary(count, len(found), refusals))
    return Exit.FOUND if found or refusals else Exit.OK


def _refuse_lab_options(arguments: Namespace) -> None:
    """Nothing runs with --stored; who describes a lab all the same means something else."""
    given = [name for name, default in arguments.lab_defaults.items() if getattr(arguments, name) != default]
    if given:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(f"what is given with --stored is checked as it stands, without a lab: leave out {flags}")


def _summary(count: int, found: int, refusals: int) -> str:
    """How much was checked, and that this is not all where something was refused."""
    errors = f"{refusals} error{'s' if refusals > 1 else ''} above" if refusals else ""
    if errors and not count:
        return f"nothing was checked: {errors}"
    things = f"{found} finding{'s' if found > 1 else ''}" if found else "nothing found"
    missed = f"; not all was checked: {errors}" if errors else ""
    return f"{count} object{'s' if count != 1 else ''} checked, {things}{missed}"


def _lived(arguments: Namespace) -> tuple[Cache, int]:
    """What a lab has stored in the end, and how much was refused on the way."""
    from juneau.commands.worlds import carry_out, start

    session = start(arguments)
    carry_out(session, arguments.orders)
    return session.lab.cache, session.refusals


class _Reading:
    """Documents as they are read; what is no object of a known Kind is told and counted."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.refusals = 0

    def refuse(self, line: str) -> None:
        from juneau.commands.worlds import say
        from juneau.lab.plain import plain

        self.refusals += 1
        say(plain(line))

    def objects(self, paths: Sequence[str]) -> Iterator[AnyObject]:
        """The objects of all files, each of them once."""
        from juneau.commands.worlds import documents_of
        from juneau.engine.convert import decode
        from juneau.engine.errors import APIError

        seen: set[object] = set()
        for path in paths:
            for document in documents_of(self, path):
                if document.error:
                    self.refuse(f"error: error parsing {document.error} (document {document.number})")
                    continue
                try:
                    obj = decode(self.registry, document.content, with_status=True, lenient=True)
                except APIError as error:
                    self.refuse(f'error: cannot read "{document.place}": {error.message}')
                    continue
                if self.registry[obj.kind].namespaced and not obj.namespace:
                    obj = obj.with_metadata(namespace="default")
                if obj.key in seen:
                    self.refuse(f'error: "{document.place}": {obj.key} is given twice; the last one counts')
                seen.add(obj.key)
                yield obj


def _stored(arguments: Namespace) -> tuple[Cache, int]:
    """The objects as they stand, and how many documents could not be read."""
    from juneau.commands.arguments import Order, settings_of
    from juneau.commands.worlds import check_paths
    from juneau.engine.audit import picture
    from juneau.resources import registry

    if arguments.stored.count("-") > 1:
        raise UsageError("--stored - can be given once: standard input can be read once")
    check_paths([Order("FILE", path) for path in arguments.stored])
    reading = _Reading(registry())
    return picture(reading.registry, settings_of(arguments), reading.objects(arguments.stored)), reading.refusals


def written(found: Sequence[Finding], registry: Registry, output: str) -> str:
    """Findings as a table for people, or as one document for programs."""
    if output == "table":
        return _table(found) if found else ""
    document = {"findings": [_document(finding, registry) for finding in found]}
    if output == "yaml":
        from juneau.engine.table import yaml_text

        return yaml_text(document)
    import json

    return json.dumps(document, indent=4, ensure_ascii=False) + "\n"


def _table(found: Sequence[Finding]) -> str:
    from juneau.engine.table import aligned
    from juneau.lab.plain import plain

    rows = [["OBJECT", "FIELD", "FINDING", "REPAIR"]]
    for finding in found:
        broken = finding.violation
        what = str(broken).removeprefix(f"{broken.field}: ")
        rows.append([plain(cell) for cell in (str(finding.key), broken.field, what, broken.repair or "-")])
    return aligned(rows)


def _document(finding: Finding, registry: Registry) -> dict[str, Any]:
    key, broken = finding.key, finding.violation
    about = {"apiVersion": registry[key.kind].api_version, "kind": key.kind, "namespace": key.namespace}
    fields = {
        "object": {name: text for name, text in {**about, "name": key.name}.items() if text},
        "field": broken.field,
        "cause": broken.cause.value,
        "message": broken.message,
        "repair": broken.repair,
    }
    return {name: value for name, value in fields.items() if value}
