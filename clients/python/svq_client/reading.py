"""From JSON to values: by the names and types of their fields."""

from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from svq_client.errors import SvqError

Value = TypeVar("Value")


def read(kind: type[Value], given: Any) -> Value:
    """The value of the object's fields; those that it does not know are left out. Raises SvqError
    `unexpected_answer`.
    """
    return _dataclass(kind, given, kind.__name__)


def each(kind: type[Value], rows: Any) -> tuple[Value, ...]:
    if not isinstance(rows, list):
        raise unexpected(f"a list of {kind.__name__}")
    return tuple(read(kind, row) for row in rows)


def unexpected(place: str) -> SvqError:
    return SvqError(
        "unexpected_answer",
        f"The server answered without {place} as this package knows it.",
        "Check that the address is that of SVQ, and that this package is as old as the server.",
    )


@cache
def _shape(kind: type[Any]) -> tuple[tuple[str, Any, bool], ...]:
    """The name of each field, its type, and whether it has a default."""
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name], field.default is not MISSING) for field in fields(kind))


def _dataclass(kind: type[Value], given: Any, place: str) -> Value:
    if not isinstance(given, dict):
        raise unexpected(place)
    values = {}
    for name, hint, is_optional in _shape(cast(Any, kind)):
        if name in given:
            values[name] = _value(hint, given[name], f"{place}.{name}")
        elif not is_optional:
            raise unexpected(f"{place}.{name}")
    return kind(**values)


def _value(hint: Any, given: Any, place: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        if given is None:
            return None
        (hint,) = (one for one in arguments if one is not NoneType)
        return _value(hint, given, place)
    if origin is tuple and isinstance(given, list):
        return tuple(_value(arguments[0], one, place) for one in given)
    if origin is dict and isinstance(given, dict):
        return given
    if origin is None and is_dataclass(hint) and isinstance(hint, type):
        return _dataclass(hint, given, place)
    return _leaf(hint, given, place)


def _leaf(hint: Any, given: Any, place: str) -> Any:
    if hint is datetime and isinstance(given, str):
        try:
            return datetime.fromisoformat(given)
        except ValueError:
            raise unexpected(place) from None
    if hint is float and isinstance(given, int) and not isinstance(given, bool):
        return float(given)
    if isinstance(hint, type) and isinstance(given, hint) and isinstance(given, bool) == (hint is bool):
        return given
    raise unexpected(place)
