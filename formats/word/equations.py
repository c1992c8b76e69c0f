"""Formulas of Word (OMML) as one line of text: (a+b)/c, x^2."""

from collections.abc import Iterator

from formats.embedded.xml import Element, attribute, child, children, local

DELETED = {"del", "moveFrom", "delText", "instrText", "delInstrText"}  # of tracked changes, and instructions
SKIPPED = {
    "rPr",
    "ctrlPr",
    "fPr",
    "dPr",
    "naryPr",
    "radPr",
    "sSupPr",
    "sSubPr",
    "sSubSupPr",
    "funcPr",
    "mPr",
    "eqArrPr",
    *DELETED,
}


def line_of(element: Element | None) -> str:
    if element is None:
        return ""
    match local(element):
        case "t":
            return element.text or ""
        case "f":
            return f"{_grouped(child(element, 'num'))}/{_grouped(child(element, 'den'))}"
        case "sSup":
            return f"{_part(element, 'e')}^{_grouped(child(element, 'sup'))}"
        case "sSub":
            return f"{_part(element, 'e')}_{_grouped(child(element, 'sub'))}"
        case "sSubSup":
            below, above = _grouped(child(element, "sub")), _grouped(child(element, "sup"))
            return f"{_part(element, 'e')}_{below}^{above}"
        case "rad":
            degree = _part(element, "deg")
            return f"{degree}√{_grouped(child(element, 'e'))}"
        case "d":
            inner = _property(element, "dPr", "sepChr", "|").join(map(line_of, children(element, "e")))
            return (
                f"{_property(element, 'dPr', 'begChr', '(')}{inner}{_property(element, 'dPr', 'endChr', ')')}"
            )
        case "nary":
            sign = _property(element, "naryPr", "chr", "∫")
            below, above = _grouped(child(element, "sub")), _grouped(child(element, "sup"))
            limits = (f"_{below}" if below else "") + (f"^{above}" if above else "")
            return f"{sign}{limits} {_part(element, 'e')}"
        case "func":
            return f"{_part(element, 'fName')} {_part(element, 'e')}"
        case "m":
            rows = (", ".join(map(line_of, children(row, "e"))) for row in children(element, "mr"))
            return f"[{'; '.join(rows)}]"
        case "eqArr":
            return "; ".join(map(line_of, children(element, "e")))
        case name if name in SKIPPED:
            return ""
    return "".join(_lines(element))


def _lines(element: Element) -> Iterator[str]:
    return map(line_of, element)


def _part(element: Element, name: str) -> str:
    return line_of(child(element, name))


def _grouped(element: Element | None) -> str:
    """In brackets unless it is one sign or word."""
    line = line_of(element).strip()
    return line if len(line) < 2 or line.isalnum() else f"({line})"


def _property(element: Element, properties: str, name: str, otherwise: str) -> str:
    found = child(child(element, properties), name)
    value = None if found is None else attribute(found, "val")
    return otherwise if value is None else value
