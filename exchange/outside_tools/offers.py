"""A tool as its server tells of it, made fit to be shown to people and to a model. Pure.

What a server writes is as untrusted as a document: cut to a length, rid of what nobody sees. The fingerprint
is of all that it wrote, so that a change beyond the cut is noticed, too.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from formats.base.characters import one_line

LONGEST_DESCRIPTION = 600  # characters
LONGEST_HINT = 200  # of a description within a schema
LARGEST_SCHEMA = 8_000  # characters of its JSON, as the model is given it
DEEPEST = 8  # levels of a schema
LONGEST_NAME = 128
_NAME = re.compile(r"[A-Za-z0-9_./-]+", re.ASCII)  # as the protocol has it
# Keywords that say what to pass. Others, such as patterns, are for programs that check; the server does.
_KEPT = frozenset(
    (
        *("type", "enum", "const", "default", "required", "minimum", "maximum", "minLength", "maxLength"),
        *("minItems", "maxItems", "additionalProperties", "nullable", "$ref"),
    )
)
_OF_SCHEMAS, _LISTS_OF_SCHEMAS = ("properties", "$defs", "definitions"), ("anyOf", "oneOf", "allOf")
TOO_LARGE = "Its arguments are described at too great a length."
BAD_NAME = "Its name is not one that the protocol allows."
NO_OBJECT = "Its arguments are not described as the protocol asks."


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """`unusable`: why the model can't be given it; empty: it can."""

    name: str
    description: str
    schema: dict[str, Any]
    fingerprint: str
    unusable: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def arguments(self) -> list[str]:
        """The names of what it is passed."""
        return list(self.schema.get("properties", {}))


class _Refused(Exception):
    pass


def offer_of(name: str, description: str, schema: Mapping[str, Any]) -> Offer:
    """The same for the same words, whatever the order of a schema's keys."""
    unusable, fit = "", {}
    try:
        written = json.dumps([name, description, schema], sort_keys=True)
    except (RecursionError, ValueError):  # deeper than Python goes, a number longer than it writes
        written, schema = json.dumps([name, description]), {}
    try:
        if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
            raise _Refused(BAD_NAME)
        if schema.get("type") != "object":
            raise _Refused(NO_OBJECT)
        fit = _fit(schema, DEEPEST)
        if len(json.dumps(fit)) > LARGEST_SCHEMA:
            raise _Refused(TOO_LARGE)
    except _Refused as refused:
        unusable, fit = str(refused), {}
    return Offer(
        name=_cut(name, LONGEST_NAME),
        description=_cut(description, LONGEST_DESCRIPTION),
        schema=fit,
        fingerprint=hashlib.sha256(written.encode()).hexdigest(),
        unusable=unusable,
    )


def _fit(schema: Any, levels: int) -> dict[str, Any]:
    """The schema with the keywords that a model needs, its texts clean and short. Raises _Refused."""
    if not isinstance(schema, Mapping):
        raise _Refused(NO_OBJECT)
    if not levels:
        raise _Refused(TOO_LARGE)
    fit: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "description":
            fit[key] = _cut(str(value), LONGEST_HINT)
        elif key in _OF_SCHEMAS and isinstance(value, Mapping):
            fit[key] = {_argument(name): _fit(part, levels - 1) for name, part in value.items()}
        elif key in _LISTS_OF_SCHEMAS and isinstance(value, list):
            fit[key] = [_fit(part, levels - 1) for part in value]
        elif key == "items" or (key == "additionalProperties" and isinstance(value, Mapping)):
            fit[key] = _fit(value, levels - 1)
        elif key in _KEPT:
            fit[key] = _clean(value, levels)
    if "$ref" in fit and not str(fit["$ref"]).startswith("#"):
        raise _Refused(NO_OBJECT)
    return fit


def _argument(name: str) -> str:
    """Raises _Refused for a name that hides something."""
    if len(name) > LONGEST_NAME or one_line(name) != name:
        raise _Refused(BAD_NAME)
    return name


def _clean(value: Any, levels: int) -> Any:
    if isinstance(value, str):
        return _cut(value, LONGEST_HINT)
    if isinstance(value, Mapping):
        return {_argument(key): _clean(part, _less(levels)) for key, part in value.items()}
    if isinstance(value, list):
        return [_clean(part, _less(levels)) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _less(levels: int) -> int:
    """Raises _Refused."""
    if levels <= 1:
        raise _Refused(TOO_LARGE)
    return levels - 1


def _cut(text: str, longest: int) -> str:
    clean = one_line(text[: 20 * longest])
    return clean if len(clean) <= longest else f"{clean[: longest - 1]}…"
