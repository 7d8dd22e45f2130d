"""The program's log, rendered in one place: a line per event on standard error."""

from __future__ import annotations

import logging
import sys

_OWN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class _OneLine(logging.Formatter):
    """An event with its fields; where it comes from only when that was asked for."""

    def __init__(self, debug: bool) -> None:
        super().__init__()
        self.debug = debug

    def format(self, record: logging.LogRecord) -> str:
        fields = (f"{name}={value}" for name, value in vars(record).items() if name not in _OWN)
        line = " ".join((f"{record.levelname.lower()}: {record.getMessage()}", *fields))
        if self.debug and record.exc_info:
            line += f"\n{self.formatException(record.exc_info)}"
        return line


class _Handler(logging.Handler):
    """Writes to what is standard error at that moment, which tests exchange."""

    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr, flush=True)


def show(*, verbose: bool, debug: bool) -> None:
    """Show warnings, and what happens too if `verbose`; replaces what was shown before."""
    handler = _Handler()
    handler.setFormatter(_OneLine(debug))
    logger = logging.getLogger("juneau")
    logger.handlers = [handler]
    logger.setLevel(logging.DEBUG if debug else logging.INFO if verbose else logging.NOTSET)
