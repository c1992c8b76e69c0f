"""Where a workbook of Excel has its sheets."""

from collections.abc import Iterator

from formats.embedded.parts import Package
from formats.embedded.xml import attribute, named


def workbook_part(package: Package) -> str:
    return package.main("xl/workbook.xml")


def sheet_parts(package: Package) -> Iterator[tuple[str, str]]:
    """The name of each sheet and of its part; "" for one that the file does not have."""
    part = workbook_part(package)
    for sheet in named(package.xml_if_whole(part), "sheet"):
        relation = next((str(value) for key, value in sheet.attrib.items() if str(key).endswith("}id")), "")
        yield attribute(sheet, "name") or "", package.target(part, relation)
