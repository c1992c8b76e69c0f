"""Filters as people and programs write them: `type=pdf`, `since=2024-01-31`, `grade=5`."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from retrieval.query import Filters

KEYS = (
    "documents, types, languages, tags, since, until, written_by, sent_to, written_since and written_until; "
    "every other key is one of the documents' metadata"
)
OURS = {
    *("documents", "type", "types", "language", "languages", "tag", "tags"),
    *("since", "until", "written_by", "sent_to", "written_since", "written_until"),
}
MOST_WORDS = 200  # values of types, tags or languages


class BadFilter(ValueError):
    """An invalid filter; the message is for people."""


def filters_of(values: Mapping[str, Any]) -> Filters:
    """Filters from values by key; a list, or words with commas between them, where several may be.

    Raises BadFilter.
    """
    rest = {_key(key): value for key, value in values.items()}
    documents = rest.pop("documents", None)
    types = _words(rest.pop("types", None), rest.pop("type", None))
    tags = _words(rest.pop("tags", None), rest.pop("tag", None), lower=False)
    languages = _words(rest.pop("languages", None), rest.pop("language", None))
    since, until = _days(rest, "since", "until")
    written_since, written_until = _days(rest, "written_since", "written_until")
    written_by, sent_to = _name("written_by", rest), _name("sent_to", rest)
    return Filters(
        document_ids=None if documents is None else frozenset(_numbers(documents)),
        types=types,
        languages=languages,
        tags=tags,
        since=since,
        until=until,
        written_by=written_by,
        sent_to=sent_to,
        written_since=written_since,
        written_until=written_until,
        metadata=rest,
    )


def _key(key: str) -> str:
    """Ours in any case; metadata has its keys as programs wrote them."""
    key = key.strip()
    return key.lower() if key.lower() in OURS else key


def pairs(words: Iterable[str]) -> dict[str, str]:
    """The values by key of words such as "type=pdf". Raises BadFilter."""
    values = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadFilter(f"“{word}” is not a filter such as type=pdf. Keys are {KEYS}.")
        values[key.strip()] = value.strip()
    return values


def _words(*values: Any, lower: bool = True) -> frozenset[str]:
    """Raises BadFilter."""
    words: set[str] = set()
    for value in values:
        words |= {str(word).strip() for word in _several(value) if str(word).strip()}
    if len(words) > MOST_WORDS:
        raise BadFilter(f"{len(words):,} values are too many for one filter: at most {MOST_WORDS}.")
    return frozenset(map(str.lower, words)) if lower else frozenset(words)


def _several(value: Any) -> Iterable[Any]:
    """Of a list its values, of words with commas between them each, of anything else itself."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        return value.split(",")
    return [value] if isinstance(value, bool | int | float) else list(value)


def _name(key: str, values: dict[str, Any]) -> str:
    """A part of a name, which is taken out. Raises BadFilter."""
    value = values.pop(key, None)
    if value is not None and not isinstance(value, str):
        raise BadFilter(f"{key} is a part of one name or address.")
    return (value or "").strip()


def _numbers(values: Any) -> Iterable[int]:
    for value in _several(values):
        try:
            yield int(value)
        except (TypeError, ValueError):
            raise BadFilter(f"“{value}” is not the number of a document.") from None


def _days(values: dict[str, Any], first: str, last: str) -> tuple[date | None, date | None]:
    """The days under these keys, which are taken out. Raises BadFilter."""
    since, until = _day(first, values.pop(first, None)), _day(last, values.pop(last, None))
    if since and until and since > until:
        raise BadFilter(f"“{first}” ({since}) is later than “{last}” ({until}).")
    return since, until


def _day(key: str, value: Any) -> date | None:
    if value in (None, ""):
        return None
    try:
        return value if isinstance(value, date) else date.fromisoformat(str(value))
    except ValueError:
        raise BadFilter(f"“{value}” is not a day for {key}: write it as 2024-01-31.") from None
