"""How Word writes a property: an element of its name, whose attribute `val` has what it is."""

from formats.embedded.xml import Element, attribute, child


def value_of(element: Element | None, name: str) -> str:
    """Of the property of that name; "" where there is none."""
    found = child(element, name)
    return "" if found is None else attribute(found, "val") or ""


def is_on(element: Element | None) -> bool:
    """Of a property that is on or off; without a value it is on."""
    return element is not None and (attribute(element, "val") or "true") not in ("0", "false", "off")
