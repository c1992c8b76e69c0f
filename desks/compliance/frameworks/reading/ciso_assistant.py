"""Libraries of CISO Assistant (YAML): a framework with its requirement nodes and their translations. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from desks.compliance.frameworks.reading import bounded_yaml
from desks.compliance.frameworks.reading.draft import (
    LONGEST_TITLE,
    WHOLE,
    Draft,
    Node,
    listing,
    mapping,
    no_framework,
    text_of,
)

SOURCE = "CISO Assistant"
_LABEL = re.compile(
    r"\w+\.? (?:[IVXLC]+|\d+[a-z]?|[A-Z])$", re.IGNORECASE
)  # a kind of division and its number


def read(text: str) -> Draft:
    """Raises ExtractionError."""
    library = mapping(bounded_yaml.load(text), WHOLE)
    objects = mapping(library.get("objects"), "“objects”")
    framework = mapping(objects.get("framework"), "“objects.framework”")
    if "requirement_nodes" not in framework:
        raise no_framework(
            "This YAML file has no objects.framework.requirement_nodes: "
            "it is not a framework of CISO Assistant."
        )
    told = {**library, **{key: value for key, value in framework.items() if value}}
    return Draft(
        source=SOURCE,
        **{
            name: text_of(told.get(key), f"“{key}”")
            for name, key in (
                ("name", "name"),
                ("ref", "ref_id"),
                ("version", "version"),
                ("description", "description"),
                ("publisher", "provider"),
                ("rights", "copyright"),
                ("language", "locale"),
            )
        },
        nodes=tuple(_nodes(listing(framework["requirement_nodes"], "“requirement_nodes”"))),
    )


def _nodes(told: list[Any]) -> Iterator[Node]:
    """In reading order: children behind their parents, wherever the file has them."""
    rows = [mapping(row, f"“requirement_nodes[{place}]”") for place, row in enumerate(told, start=1)]
    by_urn: dict[str, int] = {}
    for place, row in enumerate(rows):
        urn = text_of(row.get("urn"), "“urn”")
        if urn and urn in by_urn:
            raise no_framework("Two points have the urn {urn}.", urn=urn[:120])
        by_urn[urn or f"#{place}"] = place
    children: dict[int | None, list[int]] = {}
    for place, row in enumerate(rows):
        parent = text_of(row.get("parent_urn"), "“parent_urn”")
        if parent and parent not in by_urn:
            raise no_framework("The parent {parent} of a point is not in the file.", parent=parent[:120])
        children.setdefault(by_urn[parent] if parent else None, []).append(place)
    waiting = [(place, 0) for place in reversed(children.get(None, []))]
    given = 0
    while waiting:
        place, depth = waiting.pop()
        given += 1
        yield _node(rows[place], depth)
        waiting += [(child, depth + 1) for child in reversed(children.get(place, []))]
    if given < len(rows):
        raise no_framework("Some points are their own parents.")


def _node(row: Mapping[str, Any], depth: int) -> Node:
    ref = text_of(row.get("ref_id"), "“ref_id”")
    where = f"“translations” ({ref or row.get('urn')})"
    translations = {
        language: _words(mapping(words, where))
        for language, words in mapping(row.get("translations"), where).items()
    }
    words = _words(row)
    is_assessable = row.get("assessable") is True
    if not ref and not is_assessable and _LABEL.match(words["title"]) and len(words["text"]) <= LONGEST_TITLE:
        # Of “Chapter V” as a name and “Managing of ICT third-party risk” as its text.
        ref, words = words["title"], {"title": words["text"], "text": ""}
        translations = {
            language: {"title": told["text"], "text": ""} for language, told in translations.items()
        }
    return Node(
        depth=depth,
        ref=ref,
        is_assessable=is_assessable,
        translations={language: told for language, told in translations.items() if any(told.values())},
        **words,
    )


def _words(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "title": text_of(row.get("name"), "“requirement_nodes[].name”"),
        "text": text_of(row.get("description"), "“requirement_nodes[].description”"),
    }
