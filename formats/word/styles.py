"""What styles of Word say of a paragraph: whether it is a heading, and of which list it is."""

import re
from dataclasses import dataclass

from formats.embedded.xml import Element, attribute, child, children, whole_number
from formats.word.properties import is_on, value_of

DEEPEST = 20  # styles that are based on others
_HEADING = re.compile(r"heading\s*([1-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """heading: its level from 1, None for no heading. list, level: numId and ilvl, where it has them."""

    heading: int | None = None
    list: str | None = None
    level: int | None = None
    code: bool = False
    hidden: bool = False


def styles_of(root: Element | None) -> dict[str, Style]:
    """Of the part styles.xml, by their ids."""
    elements = {
        attribute(each, "styleId") or "": each
        for each in children(root, "style")
        if attribute(each, "type") in ("paragraph", "character", None)
    }
    return {name: _style(name, elements) for name in elements}


def hides(properties: Element | None) -> bool | None:
    """Whether the properties of a run hide it; None where they do not say."""
    found = child(properties, "vanish")
    return None if found is None else is_on(found)


def outline_level(properties: Element | None) -> int | None:
    """The level from 1 that a paragraph's own properties give it; 0 for those that say it is body text."""
    level = whole_number(value_of(properties, "outlineLvl"), -1)
    if level < 0:
        return None
    return level + 1 if level < 9 else 0


def numbering_of(properties: Element | None) -> tuple[str | None, int | None]:
    """numId and ilvl of a paragraph's or style's properties."""
    found = child(properties, "numPr")
    number, level = child(found, "numId"), whole_number(value_of(found, "ilvl"), -1)
    return attribute(number, "val") if number is not None else None, None if level < 0 else level


def _style(name: str, elements: dict[str, Element]) -> Style:
    heading: int | None = None
    number: str | None = None
    level: int | None = None
    code = False
    hidden: bool | None = None
    for _ in range(DEEPEST):
        element = elements.get(name)
        if element is None:
            break
        called = value_of(element, "name")
        properties = child(element, "pPr")
        if heading is None:
            heading = outline_level(properties)
        if heading is None:
            if found := _HEADING.fullmatch(called.strip()):
                heading = int(found[1])
            elif called.lower() == "title":
                heading = 1
            elif called.lower() == "subtitle":
                heading = 2
        hidden = hides(child(element, "rPr")) if hidden is None else hidden
        own_number, own_level = numbering_of(properties)
        number = own_number if number is None else number
        level = own_level if level is None else level
        code = code or "code" in called.lower() or "preformatted" in called.lower()
        name = value_of(element, "basedOn")
    return Style(heading=heading or None, list=number, level=level, code=code, hidden=bool(hidden))
