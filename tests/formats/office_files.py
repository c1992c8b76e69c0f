"""Small files of each format, made here: their XML and markup is written out, as their programs write it."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return written.getvalue()


def relations(*targets: tuple[str, str, str]) -> str:
    """Of (id, kind, target)."""
    rows = "".join(
        f'<Relationship Id="{name}" Type="{KINDS}/{kind}" Target="{target}"/>'
        for name, kind, target in targets
    )
    return f"<Relationships {RELATIONS}>{rows}</Relationships>"


def docx(body: str, parts: Mapping[str, str | bytes] | None = None, *related: tuple[str, str, str]) -> bytes:
    """body: the inside of w:body. parts: others by name; related: how the document names them."""
    document = (
        f'<w:document {W} xmlns:r="{KINDS}" '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
        'xmlns:v="urn:schemas-microsoft-com:vml" '
        f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><w:body>{body}</w:body></w:document>'
    )
    return archive(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("rId1", "officeDocument", "word/document.xml")),
            "word/document.xml": document,
            "word/_rels/document.xml.rels": relations(*related),
            **(parts or {}),
        }
    )


def paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def text_of(format_: object, content: bytes, folder: Path, name: str = "file") -> str:
    """The text of all pages that a format reads from a file."""
    return "\n".join(page.text for page in pages_of(format_, content, folder, name))


def pages_of(format_, content: bytes, folder: Path, name: str = "file"):
    from formats import PageText, SourceFile

    path = folder / name
    path.write_bytes(content)
    items = format_.read(SourceFile(path=path, derived=folder / f"derived-{name}"))
    return [item for item in items if isinstance(item, PageText)]
