"""Applying a manifest to an object that exists: a three-way merge of documents, as `kubectl apply` makes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def three_way(last: Mapping[str, Any], new: Mapping[str, Any], live: Mapping[str, Any]) -> dict[str, Any]:
    """`live` with what `new` says, without what `last` said and `new` no longer does.

    Lists are values: they are replaced whole.
    """
    merged = dict(live)
    for field in last.keys() - new.keys():
        merged.pop(field, None)
    for field, value in new.items():
        held = merged.get(field)
        if isinstance(value, Mapping) and isinstance(held, Mapping):
            before = last.get(field)
            merged[field] = three_way(
                cast("Mapping[str, Any]", before) if isinstance(before, Mapping) else {},
                cast("Mapping[str, Any]", value),
                cast("Mapping[str, Any]", held),
            )
        else:
            merged[field] = value
    return merged
