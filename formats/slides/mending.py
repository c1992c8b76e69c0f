"""A presentation without what is damaged in it besides its slides: pictures, sounds, films, comments."""

import zipfile
from io import BytesIO
from pathlib import Path, PurePosixPath

from lxml import etree

from formats.embedded.archive import UNREADABLE
from formats.embedded.parts import Package
from formats.embedded.xml import attribute, children
from formats.slides.comments import is_of_comments

KINDS = "[Content_Types].xml"
OF_XML = (".xml", ".rels")
UNKNOWN = "application/octet-stream"


def mended(path: Path, package: Package) -> BytesIO:
    """The file with an empty part in place of each that cannot be unpacked, and a kind for each ending.

    package: the same file, whose size was checked. Raises what opening the archive raises, and where XML
    cannot be unpacked.
    """
    written = BytesIO()
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(written, "w") as copy:
        names = archive.namelist()
        for name in names:
            if name == KINDS:
                copy.writestr(name, _kinds(package, names))
                continue
            try:
                content = archive.read(name)
            except UNREADABLE:
                if name.endswith(OF_XML) and not is_of_comments(name):
                    raise
                content = b""
            copy.writestr(name, content)
    written.seek(0)
    return written


def _kinds(package: Package, names: list[str]) -> bytes:
    root = package.xml(KINDS)
    if root is None:
        return b""
    known = {(attribute(each, "Extension") or "").lower() for each in children(root, "Default")}
    for ending in {PurePosixPath(name).suffix.lstrip(".").lower() for name in names} - known - {""}:
        etree.SubElement(
            root, f"{{{etree.QName(root).namespace}}}Default", Extension=ending, ContentType=UNKNOWN
        )
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
