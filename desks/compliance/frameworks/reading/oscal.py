"""OSCAL catalogs (JSON): groups, controls, and the items of their statements. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from desks.compliance.frameworks.reading.draft import (
    DEEPEST,
    WHOLE,
    Draft,
    Node,
    listing,
    mapping,
    no_framework,
    text_of,
)

SOURCE = "OSCAL"
_INSERT = re.compile(r"\{\{\s*insert:\s*param,\s*([\w.-]+)\s*\}\}")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
STATEMENTS = ("statement", "item")
DEEPEST_CHOICE = 5  # parameters that name parameters
MOST_INSERTED = 200_000  # parameters put into prose, those within others too

Named = Mapping[str, Any]


def read(text: str) -> Draft:
    """Raises ExtractionError."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise no_framework("This file is not valid JSON.") from None
    file = mapping(told, WHOLE)
    if "catalog" not in file:
        kinds = ", ".join(sorted(file))[:120] or "-"
        raise no_framework(
            "This JSON file is not an OSCAL catalog: it has no “catalog”, but: {kinds}.", kinds=kinds
        )
    catalog = mapping(file["catalog"], "“catalog”")
    about = mapping(catalog.get("metadata"), "“metadata”")
    return Draft(
        source=SOURCE,
        name=text_of(about.get("title"), "“title”").replace("*", ""),
        version=text_of(about.get("version"), "“version”"),
        description=text_of(about.get("remarks"), "“remarks”"),
        language=text_of(about.get("language"), "“language”") or "en",
        nodes=tuple(_Catalog(catalog).nodes()),
    )


class _Catalog:
    """`parameters`: what stands in the holes of the prose."""

    def __init__(self, catalog: Named) -> None:
        self.catalog = catalog
        self.parameters: dict[str, Named] = {}
        self.inserted = 0
        self._collect(catalog, 0)

    def nodes(self) -> Iterator[Node]:
        yield from self._groups(self.catalog, 0, "")
        yield from self._controls(self.catalog, 0, "")

    def _collect(self, part: Named, depth: int) -> None:
        if depth > DEEPEST:
            raise no_framework("This catalog is nested more than {n} levels deep.", n=DEEPEST)
        for told in listing(part.get("params"), "“params”"):
            parameter = mapping(told, "“params[]”")
            self.parameters[text_of(parameter.get("id"), "“params[].id”")] = parameter
        for name in ("groups", "controls"):
            for inner in listing(part.get(name), f"“{name}”"):
                self._collect(mapping(inner, f"“{name}[]”"), depth + 1)

    def _groups(self, parent: Named, depth: int, domain: str) -> Iterator[Node]:
        for told in listing(parent.get("groups"), "“groups”"):
            group = mapping(told, "“groups[]”")
            title = text_of(group.get("title"), "“groups[].title”")
            own = domain or title
            yield Node(depth=depth, ref=_label(group), title=title, domain=own, is_assessable=False)
            yield from self._groups(group, depth + 1, own)
            yield from self._controls(group, depth + 1, own)

    def _controls(self, parent: Named, depth: int, domain: str) -> Iterator[Node]:
        for told in listing(parent.get("controls"), "“controls”"):
            control = mapping(told, "“controls[]”")
            ref = _label(control) or text_of(control.get("id"), "“controls[].id”").upper()
            statement = [
                mapping(part, "“parts[]”")
                for part in listing(control.get("parts"), "“parts”")
                if isinstance(part, dict) and part.get("name") == "statement"
            ]
            items = [item for part in statement for item in _items(part)]
            prose = "\n\n".join(filter(None, (self._prose(part) for part in statement)))
            title = text_of(control.get("title"), "“controls[].title”")
            withdrawn = any(
                prop.get("name") == "status" and str(prop.get("value")).lower() == "withdrawn"
                for prop in _props(control)
            )
            yield Node(
                depth=depth,
                ref=ref,
                title=title + (" (withdrawn)" if withdrawn else ""),
                text=prose,
                domain=domain,
                is_assessable=not items and not withdrawn,
            )
            for item in items:
                yield from self._statement(item, depth + 1, ref, domain)
            yield from self._controls(control, depth + 1, domain)

    def _statement(self, part: Named, depth: int, above: str, domain: str) -> Iterator[Node]:
        ref = above + _point(_label(part))
        inner = _items(part)
        yield Node(depth=depth, ref=ref, text=self._prose(part), domain=domain, is_assessable=not inner)
        for item in inner:
            yield from self._statement(item, depth + 1, ref, domain)

    def _prose(self, part: Named) -> str:
        text = text_of(part.get("prose"), "“prose”")
        return _LINK.sub(r"\1", self._filled(text, 0)).strip()

    def _filled(self, text: str, depth: int) -> str:
        return _INSERT.sub(lambda hole: f"[{self._parameter(hole[1], depth)}]", text)

    def _parameter(self, name: str, depth: int) -> str:
        self.inserted += 1
        if self.inserted > MOST_INSERTED:
            raise no_framework(
                "More than {n} parameters would be put into the texts of this catalog.", n=MOST_INSERTED
            )
        parameter = self.parameters.get(name)
        if parameter is None or depth > DEEPEST_CHOICE:
            return name
        if values := listing(parameter.get("values"), "“values”"):
            return ", ".join(map(str, values))
        if choice := listing(mapping(parameter.get("select"), "“select”").get("choice"), "“choice”"):
            return "; or ".join(self._filled(text_of(each, "“choice[]”"), depth + 1) for each in choice[:50])
        return text_of(parameter.get("label"), "“label”") or name


def _items(part: Named) -> list[Named]:
    parts = [mapping(each, "“parts[]”") for each in listing(part.get("parts"), "“parts”")]
    return [each for each in parts if each.get("name") in STATEMENTS]


def _props(part: Named) -> list[Named]:
    return [mapping(prop, "“props[]”") for prop in listing(part.get("props"), "“props”")]


def _label(part: Named) -> str:
    """How it is printed; of several labels the one that is meant for no tool."""
    labels = [prop for prop in _props(part) if prop.get("name") == "label"]
    plain = [prop for prop in labels if not prop.get("class")]
    return text_of((plain or labels or [{}])[0].get("value"), "“props[].value”")


def _point(label: str) -> str:
    """The label of an item behind that of its control: AC-1 and "a." make AC-1.a, and "(b)" AC-1.a.b."""
    bare = label.strip(" .()")
    return f".{bare}" if bare else ""
