"""XML from hostile files: no entities, no network, bounded depth and size; what is damaged is refused."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from lxml import etree

from formats.base.errors import ExtractionError, gettext_noop

Element: TypeAlias = etree._Element
LONGEST_TEXT = 4_000  # characters of a property


def parse(content: bytes) -> Element:
    """The root. Raises ExtractionError."""
    parser = etree.XMLParser(
        recover=False,
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise _refusal(error) from None
    except ValueError:
        raise ExtractionError("corrupt") from None
    if root.getroottree().docinfo.internalDTD is not None and _declares_entities(root):
        raise ExtractionError(
            "corrupt", gettext_noop("This file declares entities, as bombs do, and was not opened.")
        )
    return root


def local(element: Element) -> str:
    """An element's name without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """By its name without the namespace: documents write it with several."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def whole_number(text: str | None, otherwise: int) -> int:
    """What an attribute says, or `otherwise` where that is no number."""
    found = re.fullmatch(r"\s*([-+]?[0-9]{1,12})\s*", text or "")
    return int(found[1]) if found else otherwise


def child(element: Element | None, name: str) -> Element | None:
    """The first child of that name."""
    return next(children(element, name), None)


def children(element: Element | None, name: str) -> Iterator[Element]:
    return (each for each in (() if element is None else element) if local(each) == name)


def named(root: Element | None, name: str) -> Iterator[Element]:
    """All elements within of that local name, and the root itself."""
    return (each for each in (() if root is None else root.iter()) if local(each) == name)


def texts_of(root: Element | None, names: Mapping[str, str]) -> dict[str, str]:
    """The text of the first element of each of these names that has any, under the name given for it."""
    found: dict[str, str] = {}
    for each in () if root is None else root.iter():
        name = names.get(local(each))
        if name and name not in found and each.text and each.text.strip():
            found[name] = each.text.strip()[:LONGEST_TEXT]
    return found


def _declares_entities(root: Element) -> bool:
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and next(dtd.iterentities(), None) is not None


def _refusal(error: etree.XMLSyntaxError) -> ExtractionError:
    said = str(error)
    if "depth" in said or "huge" in said.lower() or "Maximum" in said:
        return ExtractionError(
            "too_large", gettext_noop("This file has elements that are nested too deep, or too long.")
        )
    return ExtractionError("corrupt")
