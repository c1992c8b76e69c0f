"""A framework as its file tells it, before it becomes rows, and the limits of one. Pure.

This folder runs in the sandbox as well, so it knows neither Django nor the database.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from formats.base.errors import ExtractionError, gettext_noop
from localization.sentences import worded

MOST_REQUIREMENTS = 5_000
DEEPEST = 12
LONGEST_TEXT = 20_000  # characters of one requirement in one language
MOST_CHARACTERS = 20_000_000  # in all languages together
MOST_LANGUAGES = 40
LONGEST_REF, LONGEST_TITLE, LONGEST_DOMAIN = 60, 300, 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One requirement. `depth` counts from 0; a node belongs to the last one above it that is less deep.

    translations: {language: {"title", "text"}}.
    """

    depth: int
    ref: str = ""
    title: str = ""
    text: str = ""
    domain: str = ""
    is_assessable: bool = True
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def characters(self) -> int:
        told = (text for words in self.translations.values() for text in words.values())
        return len(self.title) + len(self.text) + sum(map(len, told))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A whole framework: what it is called, and its nodes in reading order."""

    name: str
    source: str
    ref: str = ""
    version: str = ""
    description: str = ""
    publisher: str = ""
    rights: str = ""
    language: str = ""
    nodes: tuple[Node, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> Self:
        return cls(**{**told, "nodes": tuple(Node(**node) for node in told["nodes"])})


CORRECT_IT = gettext_noop("Nothing was imported. Correct the file and import it again.")


def no_framework(message: str, /, *, hint: str = "", **values: str | int) -> ExtractionError:
    """The error for a file that is no framework, or too much of one; it marks the message for translation."""
    return ExtractionError("unsupported", worded(message, **values), hint or CORRECT_IT)


def checked(draft: Draft) -> Draft:
    """The draft with its names in one line each. Raises ExtractionError, also for a name that is too long."""
    if not draft.nodes:
        raise no_framework("This file has no points.")
    if len(draft.nodes) > MOST_REQUIREMENTS:
        raise no_framework(
            "This file has {n} points; {most} are allowed.", n=len(draft.nodes), most=MOST_REQUIREMENTS
        )
    if sum(node.characters for node in draft.nodes) > MOST_CHARACTERS:
        raise no_framework("This file has more than {n} characters of points.", n=MOST_CHARACTERS)
    nodes = tuple(_checked_nodes(draft.nodes))
    if not any(node.is_assessable for node in nodes):
        raise no_framework("Nothing in this file can be checked: no point is marked as assessable.")
    return Draft(
        name=one_line(draft.name) or "Framework",
        source=draft.source,
        ref=one_line(draft.ref)[:60],
        version=one_line(draft.version)[:60],
        description=draft.description.strip()[:5000],
        publisher=one_line(draft.publisher)[:200],
        rights=one_line(draft.rights)[:500],
        language=draft.language[:12].lower(),
        nodes=nodes,
    )


def _checked_nodes(nodes: tuple[Node, ...]) -> Iterator[Node]:
    depth = -1
    for place, node in enumerate(nodes, start=1):
        named = node.ref or node.title or f"#{place}"
        if node.depth > DEEPEST:
            raise no_framework(
                "The point {name} is nested more than {n} levels deep.", name=named[:60], n=DEEPEST
            )
        texts = [node.text, *(words.get("text", "") for words in node.translations.values())]
        if max(map(len, texts)) > LONGEST_TEXT:
            raise no_framework(
                "The point {name} has more than {n} characters. Divide it.",
                name=named[:60],
                n=LONGEST_TEXT,
            )
        if len(node.translations) > MOST_LANGUAGES:
            raise no_framework(
                "The point {name} is in more than {n} languages.", name=named[:60], n=MOST_LANGUAGES
            )
        if not (node.ref or node.title or node.text):
            raise no_framework("The point {name} is empty: it has no reference, title or text.", name=named)
        if len(one_line(node.ref)) > LONGEST_REF:
            raise no_framework(
                "The reference of the point {name} has more than {n} characters.",
                name=named[:60],
                n=LONGEST_REF,
            )
        if len(one_line(node.domain)) > LONGEST_DOMAIN:
            raise no_framework(
                "The domain of the point {name} has more than {n} characters.",
                name=named[:60],
                n=LONGEST_DOMAIN,
            )
        depth = min(node.depth, depth + 1)  # a level that is left out is closed up
        title, text = _title_and_text(node.title, node.text)
        yield Node(
            depth=depth,
            ref=one_line(node.ref),
            title=title,
            text=text,
            domain=one_line(node.domain),
            is_assessable=node.is_assessable and bool(title or text),
            translations={
                language[:12].lower(): dict(
                    zip(
                        ("title", "text"),
                        _title_and_text(words.get("title", ""), words.get("text", "")),
                        strict=True,
                    )
                )
                for language, words in node.translations.items()
            },
        )


def _title_and_text(title: str, text: str) -> tuple[str, str]:
    """A title that is too long for one begins the text: no word of a requirement is lost."""
    line = one_line(title)
    if len(line) <= LONGEST_TITLE:
        return line, text.strip()
    return "", f"{line}\n{text}".strip()


def one_line(text: str) -> str:
    return " ".join(text.split())


# Where something stands is told as the file has it, such as “params[].id”: that needs no translation.
WHOLE = ""  # the file itself


def text_of(value: Any, where: str) -> str:
    """A text of a file; empty for none. Raises ExtractionError for anything but a text, number or date."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        raise no_framework("{where} is not a text.", where=where)
    return str(value)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict) and where == WHOLE:
        raise no_framework("This file is not an object with names and values.")
    if not isinstance(value, dict):
        raise no_framework("{where} is not an object with names and values.", where=where)
    return {str(key): item for key, item in value.items()}


def listing(value: Any, where: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise no_framework("{where} is not a list.", where=where)
    return value
