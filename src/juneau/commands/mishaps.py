"""What befalls the Nodes of a lab at a person's word: `node power-off worker-1`."""

from __future__ import annotations

from typing import Final

from juneau.commands.exits import UsageError
from juneau.lab.immediate import run
from juneau.lab.lab import Lab
from juneau.lab.session import Session

CUT_OFF: Final = "cut-off"
RECONNECT: Final = "reconnect"
POWER_OFF: Final = "power-off"
POWER_ON: Final = "power-on"
WORDS: Final = (CUT_OFF, RECONNECT, POWER_OFF, POWER_ON)
USAGE: Final = f"node {'|'.join(WORDS)} NAME"

_DONE: Final = {
    CUT_OFF: "is cut off from the API server; what runs there goes on",
    RECONNECT: "reaches the API server again",
    POWER_OFF: "has lost its power",
    POWER_ON: "has started anew and reaches the API server",
}


def befall(session: Session, word: str, name: str) -> None:
    """Do it, wait for rest, and tell it; what cannot befall that Node now is refused.

    Raises UsageError for a word that is none of WORDS.
    """
    if word not in WORDS:
        raise UsageError(f'"{word}" is none of {", ".join(WORDS)}; usage: {USAGE}')
    lab = session.lab
    if name not in lab.agents:
        there = f"there are {', '.join(sorted(lab.agents))}" if lab.agents else "there are none"
        session.refuse(f'Error from server (NotFound): Node "{name}" not found; {there}')
        return
    why_not = _why_not(lab, word, name)
    if why_not:
        session.refuse(f"error: node/{name} {why_not}")
        return
    _do(lab, word, name)
    session.tell(f"node/{name} {_DONE[word]}")
    session.advance(0)


def _why_not(lab: Lab, word: str, name: str) -> str:
    """What keeps that from befalling the Node in the state in which it is; empty if nothing does."""
    if name in lab.off:
        return "" if word == POWER_ON else f"has no power; node {POWER_ON} {name} gives it back"
    if word == POWER_ON:
        return "has its power"
    if word == RECONNECT and name not in lab.away:
        return "is not cut off"
    return "is cut off already" if word == CUT_OFF and name in lab.away else ""


def _do(lab: Lab, word: str, name: str) -> None:
    if word == CUT_OFF:
        lab.cut_off(name)
    elif word == RECONNECT:
        run(lab.reconnect(name))
    elif word == POWER_OFF:
        lab.switch_off(name)
    else:
        run(lab.switch_on(name))
