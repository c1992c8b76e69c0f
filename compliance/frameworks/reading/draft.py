"""A framework as its file tells it, before it becomes rows, and the limits of one. Pure.

This folder runs in the sandbox as well, so it knows neither Django nor the database.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from formats.base.errors import ExtractionError

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


def refused(message: str, hint: str = "") -> ExtractionError:
    """The error for a file that is no framework, or too much of one."""
    return ExtractionError(
        "unsupported", message, hint or "Nothing was imported. Correct the file and import it again."
    )


def checked(draft: Draft) -> Draft:
    """The draft with its names in one line each. Raises ExtractionError, also for a name that is too long."""
    if not draft.nodes:
        raise refused("This file has no requirements.")
    if len(draft.nodes) > MOST_REQUIREMENTS:
        raise refused(f"This file has {len(draft.nodes):,} requirements; {MOST_REQUIREMENTS:,} are allowed.")
    if sum(node.characters for node in draft.nodes) > MOST_CHARACTERS:
        raise refused(f"This file has more than {MOST_CHARACTERS:,} characters of requirements.")
    nodes = tuple(_checked_nodes(draft.nodes))
    if not any(node.is_assessable for node in nodes):
        raise refused("Nothing in this file can be assessed: no requirement is marked as assessable.")
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
        named = node.ref or node.title or f"number {place}"
        if node.depth > DEEPEST:
            raise refused(f"The requirement {named[:60]} is nested more than {DEEPEST} levels deep.")
        texts = [node.text, *(words.get("text", "") for words in node.translations.values())]
        if max(map(len, texts)) > LONGEST_TEXT:
            raise refused(
                f"The requirement {named[:60]} has more than {LONGEST_TEXT:,} characters. Divide it."
            )
        if len(node.translations) > MOST_LANGUAGES:
            raise refused(f"The requirement {named[:60]} is in more than {MOST_LANGUAGES} languages.")
        if not (node.ref or node.title or node.text):
            raise refused(f"The requirement {named} is empty: it has no reference, title or text.")
        for what, told, most in (
            ("reference", node.ref, LONGEST_REF),
            ("domain", node.domain, LONGEST_DOMAIN),
        ):
            if len(one_line(told)) > most:
                raise refused(f"The {what} of the requirement {named[:60]} has more than {most} characters.")
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


def text_of(value: Any, where: str) -> str:
    """A text of a file; empty for none. Raises ExtractionError for anything but a text, number or date."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        raise refused(f"{where} is not a text.")
    return str(value)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise refused(f"{where} is not an object with names and values.")
    return {str(key): item for key, item in value.items()}


def listing(value: Any, where: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise refused(f"{where} is not a list.")
    return value
