"""What a workbook says of itself. In the sandbox."""

from contextlib import suppress
from pathlib import Path

from formats.base.errors import ExtractionError
from formats.embedded.parts import Package
from formats.embedded.xml import texts_of

LIBREOFFICE_NAMES = {
    "title": "title",
    "initial-creator": "author",
    "creation-date": "created",
    "date": "modified",
}


def properties_of(path: Path) -> dict[str, str]:
    """Nothing for those of Excel before 2007, and for what reading will refuse."""
    with suppress(ExtractionError):
        package = Package(path)
        return package.properties() or texts_of(package.xml("meta.xml"), LIBREOFFICE_NAMES)
    return {}
