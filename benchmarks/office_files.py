"""Files of Office made for benchmarks and tests: their XML is written out, as their programs write it."""

import io
import zipfile
from collections.abc import Mapping

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


# LibreOffice opens no file without this.
WORD_PARTS = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)


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
            "[Content_Types].xml": WORD_PARTS,
            "_rels/.rels": relations(("rId1", "officeDocument", "word/document.xml")),
            "word/document.xml": document,
            "word/_rels/document.xml.rels": relations(*related),
            **(parts or {}),
        }
    )


def paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def xlsx(sheets: Mapping[str, str], *, hidden: str = "", styles: str = "", merged: str = "") -> bytes:
    """sheets: the inside of sheetData by name. hidden: the name of one that is. merged: the inside of
    mergeCells of the first.
    """
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    unseen = ' state="hidden"'
    named = "".join(
        f'<sheet name="{name}" sheetId="{place}" r:id="rId{place}"{unseen * (name == hidden)}/>'
        for place, name in enumerate(sheets, start=1)
    )
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{KINDS}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            *((f"rId{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)),
            ("rId99", "styles", "styles.xml"),
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{main}">{styles}</styleSheet>',
    }
    for place, rows in enumerate(sheets.values(), start=1):
        merging = f"<mergeCells>{merged}</mergeCells>" if merged and place == 1 else ""
        parts[f"xl/worksheets/sheet{place}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>{merging}</worksheet>'
        )
    return archive(parts)


def row(number: int, *cells: str | float, style: int = 0) -> str:
    written = []
    for place, cell in enumerate(cells):
        at = f"{chr(65 + place)}{number}"
        if isinstance(cell, str):
            written.append(f'<c r="{at}" t="inlineStr"><is><t>{cell}</t></is></c>' if cell else "")
        else:
            written.append(f'<c r="{at}" s="{style}"><v>{cell}</v></c>')
    return f'<row r="{number}">{"".join(written)}</row>'
