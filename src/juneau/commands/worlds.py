"""A lab as the command line describes it: started, and with all orders carried out."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from ipaddress import IPv4Network
from pathlib import Path
from typing import Protocol

from juneau.commands import logs
from juneau.commands.arguments import Order, node_settings_of, outside_of, settings_of
from juneau.commands.dataplanes import driver
from juneau.commands.exits import UsageError
from juneau.commands.values import SUFFIXES
from juneau.engine.collector import tune_collector
from juneau.engine.documents import Document
from juneau.engine.errors import APIError, JuneauError
from juneau.engine.manifests import MAX_FILE_BYTES, read_documents
from juneau.lab.session import Session, Underlay


class Complaints(Protocol):
    """Whoever is told of what could not be read."""

    def refuse(self, line: str) -> None: ...


def say(line: str) -> None:
    """One line for people, at once."""
    print(line, file=sys.stderr, flush=True)


def start(arguments: Namespace) -> Session:
    """A lab with its Nodes, before any order."""
    tune_collector()
    kind = driver(arguments.dataplane_driver)
    check_paths(arguments.orders)
    logs.show(verbose=arguments.verbose, debug=arguments.debug)
    try:
        underlay = Underlay(IPv4Network(arguments.underlay_cidr), arguments.underlay_mtu)
        return Session.start(
            kind,
            say,
            arguments.nodes,
            settings_of(arguments),
            underlay,
            node_settings_of(arguments),
            outside_of(arguments),
        )
    except APIError as error:
        raise UsageError(f"these flags make no installation: {error.message}") from None
    except JuneauError as error:
        raise UsageError(str(error)) from None


def carry_out(session: Session, orders: list[Order]) -> None:
    """Do what the command line asks for, in its order; what is refused is told and counted, the rest is done."""
    given, found = False, False
    for order in orders:
        if order.verb == "FILE":
            given = True
            found |= apply_path(session, order.value)
        elif order.verb == "DURATION":
            session.advance(order.value)
        else:
            session.delete(order.value)
    if given and not found and not session.refusals:
        session.refuse("error: no objects passed to apply: what was given holds no document")


def apply_path(session: Session, path: str) -> bool:
    """Apply a file, the files of a directory, or standard input; whether there was anything in it."""
    found = False
    for document in documents_of(session, path):
        found = True
        session.apply(document)
    return found


def check_paths(orders: list[Order]) -> None:
    """What is not there is found out before anything is done."""
    for order in orders:
        if order.verb == "FILE" and order.value != "-" and not exists(order.value):
            raise UsageError(f'the path "{order.value}" does not exist')


def exists(path: str) -> bool:
    """Whether there is such a file or directory; a text that can be no path names none."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def documents_of(session: Complaints, path: str) -> Iterator[Document]:
    """The documents of a path; a file that cannot be read is refused."""
    for file in _files(session, path):
        try:
            text = _read(file)
        except OSError as error:
            session.refuse(f'error: cannot read "{file}": {error.strerror or error}')
        else:
            yield from read_documents(text, "STDIN" if file == "-" else file)


def _files(session: Complaints, path: str) -> list[str]:
    if path == "-" or not Path(path).is_dir():
        return [path]
    try:
        files = sorted(str(file) for file in Path(path).iterdir() if file.suffix in SUFFIXES and not file.is_dir())
    except OSError as error:
        session.refuse(f'error: cannot read "{path}": {error.strerror or error}')
        return []
    if not files:
        session.refuse(f'error: the directory "{path}" holds no {", ".join(SUFFIXES)} file')
    return files


def _read(file: str) -> bytes:
    """No more than shows that it is too much."""
    if file == "-":
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    with open(file, "rb") as stream:
        return stream.read(MAX_FILE_BYTES + 1)
