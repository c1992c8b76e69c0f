"""What a reader sees of a Word document: the current text with its numbers, notes apart, nothing deleted."""

import pytest

from benchmarks.office_files import W, docx, paragraph
from formats import ExtractionError
from formats.word.format import WORD
from tests.formats.reading import pages_of, text_of

NUMBERING = f"""<w:numbering {W}><w:abstractNum w:abstractNumId="3">
<w:lvl w:ilvl="0"><w:start w:val="4"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>
<w:lvl w:ilvl="2"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2(%3)"/></w:lvl>
</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>"""
STYLES = f"""<w:styles {W}>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Sub"><w:basedOn w:val="berschrift1"/><w:name w:val="Clause"/>
<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>"""
NUMBERED = ({"word/numbering.xml": NUMBERING}, ("rId9", "numbering", "numbering.xml"))


def numbered(text, level):
    return (
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="7"/></w:numPr></w:pPr>'
        f"<w:r><w:t>{text}</w:t></w:r></w:p>"
    )


def test_automatic_numbers_are_printed(tmp_path):
    levels = [0, 1, 1, 2, 2, 0, 1, 2]
    body = "".join(numbered(f"Clause {place}", level) for place, level in enumerate(levels))
    text = text_of(WORD, docx(body, *NUMBERED), tmp_path)
    assert text.split("\n") == [
        "4. Clause 0",
        "4.1 Clause 1",
        "4.2 Clause 2",
        "4.2(a) Clause 3",
        "4.2(b) Clause 4",
        "5. Clause 5",
        "5.1 Clause 6",
        "5.1(a) Clause 7",
    ]


def test_only_the_current_text_of_tracked_changes_is_there(tmp_path):
    body = (
        "<w:p><w:r><w:t>Notice of </w:t></w:r>"
        '<w:del w:author="A"><w:r><w:delText>thirty (30)</w:delText></w:r></w:del>'
        '<w:ins w:author="A"><w:r><w:t>forty-five (45)</w:t></w:r></w:ins><w:r><w:t> days.</w:t></w:r></w:p>'
        '<w:p><w:pPr><w:rPr><w:del w:author="A"/></w:rPr></w:pPr><w:r><w:t>First half </w:t></w:r></w:p>'
        "<w:p><w:r><w:t>second half.</w:t></w:r></w:p>"
        "<w:p><w:moveFrom><w:r><w:t>Moved away</w:t></w:r></w:moveFrom></w:p>"
        "<w:tbl><w:tr><w:trPr><w:del/></w:trPr>"
        "<w:tc><w:p><w:r><w:t>Deleted row</w:t></w:r></w:p></w:tc></w:tr>"
        "<w:tr><w:tc><w:p><w:r><w:t>Kept</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>row</w:t></w:r></w:p></w:tc>"
        "</w:tr></w:tbl>"
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Invisible</w:t></w:r></w:p>"
    )
    text = text_of(WORD, docx(body), tmp_path)
    assert text == "Notice of forty-five (45) days.\n\nFirst half second half.\n\nKept\trow"


def test_headings_give_pages_their_address(tmp_path):
    body = paragraph("Fees", "berschrift1") + paragraph("Late payment", "Sub") + paragraph("Interest is due.")
    body += '<w:p><w:r><w:br w:type="page"/><w:t>On the next page.</w:t></w:r></w:p>'
    parts = {"word/styles.xml": STYLES}
    pages = pages_of(WORD, docx(body, parts, ("rId1", "styles", "styles.xml")), tmp_path)
    assert [page.address for page in pages] == ["Fees", "Fees › Late payment"]
    assert pages[1].text == "On the next page."


def test_notes_headers_and_boxes_are_told_apart_and_comments_are_no_text(tmp_path):
    body = (
        '<w:p><w:r><w:t>The fee is due</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'
        '<w:r><w:commentReference w:id="0"/></w:r><w:r><w:t> on Monday.</w:t></w:r>'
        "<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>"
        f"{paragraph('In a box.')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox><w:txbxContent>{paragraph('In a box.')}</w:txbxContent></v:textbox>"
        "</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    parts = {
        "word/footnotes.xml": f"<w:footnotes {W}>"
        f'<w:footnote w:id="-1" w:type="separator">{paragraph("---")}</w:footnote>'
        f'<w:footnote w:id="2">{paragraph("Net of tax.")}</w:footnote></w:footnotes>',
        "word/comments.xml": f"<w:comments {W}>"
        f'<w:comment w:id="0" w:author="Ann">{paragraph("Sure?")}</w:comment></w:comments>',
        "word/header1.xml": f"<w:hdr {W}>{paragraph('ACME confidential')}</w:hdr>",
        "word/header2.xml": f"<w:hdr {W}>{paragraph('ACME confidential')}</w:hdr>",
        "word/footer1.xml": f"<w:ftr {W}><w:p><w:r><w:t>Page </w:t></w:r>"
        '<w:fldSimple w:instr=" PAGE "><w:r><w:t>3'
        "</w:t></w:r></w:fldSimple></w:p></w:ftr>",
    }
    related = [
        ("r1", "footnotes", "footnotes.xml"),
        ("r2", "comments", "comments.xml"),
        ("r3", "header", "header1.xml"),
        ("r4", "header", "header2.xml"),
        ("r5", "footer", "footer1.xml"),
    ]
    text = text_of(WORD, docx(body, parts, *related), tmp_path)
    assert text.split("\n\n") == [
        "ACME confidential",
        "The fee is due[1] on Monday.",
        "[1] Net of tax.",
        "In a box.",
    ]


def box(inner):
    drawing = f"<w:pict><v:textbox><w:txbxContent>{inner}</w:txbxContent></v:textbox></w:pict>"
    return f"<w:p><w:r>{drawing}</w:r></w:p>"


def note(number, *named):
    references = "".join(f'<w:r><w:footnoteReference w:id="{other}"/></w:r>' for other in named)
    return (
        f'<w:footnote w:id="{number}"><w:p><w:r><w:t>note {number}</w:t></w:r>{references}</w:p></w:footnote>'
    )


def test_a_text_box_in_a_text_box_is_told_once(tmp_path):
    body = box(paragraph("Outer") + box(paragraph("Inner") + box(paragraph("Innermost"))))
    assert text_of(WORD, docx(body), tmp_path).split() == ["Outer", "Inner", "Innermost"]


def test_words_whose_paragraph_was_joined_to_nothing_stay_where_they_are(tmp_path):
    joined = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>".format
    body = (
        f"<w:tbl><w:tr><w:tc>{joined('One')}</w:tc><w:tc>{paragraph('Two')}</w:tc></w:tr></w:tbl>"
        f"{joined('Before')}<w:tbl><w:tr><w:tc>{paragraph('A')}</w:tc><w:tc>{paragraph('B')}</w:tc></w:tr></w:tbl>"
        + joined("Last words")
    )
    assert text_of(WORD, docx(body), tmp_path) == "One\tTwo\n\nBefore\n\nA\tB\n\nLast words"


def test_parts_of_another_kind_are_read_or_named(tmp_path):
    inner = docx(paragraph("Of a document.") + '<w:altChunk r:id="rId1"/>')
    web_archive = (
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n"
        b"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"<p>Of an =C3=A4rchive.</p>\n--b--\n"
    )
    parts = {
        "word/a.html": b"<h1>Of a page</h1><p>The fee is 500.</p>",
        "word/b.docx": inner,
        "word/c.mht": web_archive,
        "word/d.txt": "Plain Gr\u00f6\u00dfe.".encode(),
        "word/e.rtf": b"{\\rtf1 Rich.}",
    }
    names = [(f"rId{n}", "aFChunk", path.removeprefix("word/")) for n, path in enumerate(parts, start=1)]
    body = "".join(f'<w:altChunk r:id="{name}"/>' for name, *_ in names) + paragraph("End.")
    text = text_of(WORD, docx(body, parts, *names), tmp_path)
    unread = "A part of this file is of another kind and was not read."
    assert [line for line in text.split("\n") if line] == [
        "Of a page",
        "The fee is 500.",
        "Of a document.",
        unread,
        "Of an ärchive.",
        "Plain Größe.",
        unread,
        "End.",
    ]


def test_notes_that_name_one_another_are_told_once_each(tmp_path):
    inside = "".join(note(n, n + 1, n + 1) for n in range(300))
    notes = f"<w:footnotes {W}>{inside}{note(300, 300)}</w:footnotes>"
    body = (
        '<w:p><w:r><w:t>Fee</w:t><w:footnoteReference w:id="0"/></w:r></w:p><w:p><w:r><w:t>Rent</w:t>'
        '<w:footnoteReference w:id="0"/></w:r></w:p>'
    )
    text = text_of(WORD, docx(body, {"word/n.xml": notes}, ("rId1", "footnotes", "n.xml")), tmp_path)
    assert all(text.count(f"note {n}\n") + text.count(f"note {n}[") == 1 for n in range(301))
    assert "Fee[1]" in text
    assert "Rent[1]" in text


def test_results_of_fields_are_told_but_for_numbers_of_pages(tmp_path):
    begin, separate, end = (
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")
    )
    told = "<w:r><w:t>{}</w:t></w:r>".format
    instruction = "<w:r><w:instrText>{}</w:instrText></w:r>".format
    body = (
        f"<w:p>{told('a')}{begin}{instruction(' PA')}{instruction('GE ')}{separate}{told('7')}{end}"
        f"{begin}{instruction(' REF x ')}{separate}{told('b')}{begin}{told('no')}{end}{told('c')}{end}"
        f"{told('d')}{end}{told('e')}</w:p>"
    )
    assert text_of(WORD, docx(body), tmp_path) == "abcde"


def test_tables_keep_their_rows(tmp_path):
    def cell(text, properties=""):
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    rows = [
        cell("Fees in euros", '<w:gridSpan w:val="3"/>'),
        cell("Region", '<w:vMerge w:val="restart"/>') + cell("2024") + cell("2025"),
        cell("", "<w:vMerge/>") + cell("1,200") + cell("1,300"),
    ]
    body = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    assert text_of(WORD, docx(body), tmp_path) == "Fees in euros\nRegion\t2024\t2025\n\t1,200\t1,300"


def test_formulas_are_one_line(tmp_path):
    body = (
        "<w:p><w:r><w:t>So</w:t></w:r><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r>"
        "</m:den></m:f><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
        "</m:oMath></w:p>"
    )
    assert text_of(WORD, docx(body), tmp_path) == "So (a+b)/cx^2"


def test_what_was_deleted_from_a_formula_is_not_there(tmp_path):
    body = (
        "<w:p><m:oMath><m:r><m:t>fee=</m:t></m:r><w:del><m:r><m:t>999</m:t></m:r></w:del>"
        "<w:moveFrom><m:r><m:t>1</m:t></m:r></w:moveFrom><w:ins><m:r><m:t>1200</m:t></m:r></w:ins></m:oMath></w:p>"
    )
    assert text_of(WORD, docx(body), tmp_path) == "fee=1200"


def test_what_a_style_hides_is_not_told(tmp_path):
    styles = (
        f'<w:styles {W}><w:style w:type="paragraph" w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="I"><w:basedOn w:val="H"/></w:style>'
        '<w:style w:type="character" w:styleId="C"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
    )
    shown = '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Shown</w:t></w:r>'
    hidden = '<w:r><w:rPr><w:rStyle w:val="C"/></w:rPr><w:t>Hidden</w:t></w:r>'
    body = paragraph("Secret", "H") + paragraph("Inherited", "I")
    body += f'<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr>{shown}</w:p>'
    body += f"<w:p>{hidden}<w:r><w:t>Fee</w:t></w:r></w:p>"
    parts = {"word/styles.xml": styles}
    assert text_of(WORD, docx(body, parts, ("rId1", "styles", "styles.xml")), tmp_path) == "Shown\n\nFee"


def test_one_bad_value_costs_no_document(tmp_path):
    body = (
        '<w:p><w:r><w:t>Fee</w:t><w:sym w:char="zz"/><w:sym w:char="F0FC"/></w:r>'
        '<w:r><w:footnoteReference w:id="2"/></w:r>'
        '<w:r><w:drawing><wp:extent cx="\u00b2"/><a:blip/></w:drawing></w:r></w:p>'
        '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="\u00b2"/></w:tcPr>'
        "<w:p><w:r><w:t>Cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    )
    note = '<w:p><w:r><w:t>Net.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    notes = {"word/footnotes.xml": f'<w:footnotes {W}><w:footnote w:id="2">{note}</w:footnote></w:footnotes>'}
    text = text_of(WORD, docx(body, notes, ("r1", "footnotes", "footnotes.xml")), tmp_path)
    assert text.split("\n\n") == ["Fee✓[1]", "[1] Net.", "Cell"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"PK\x03\x04 cut off", "corrupt"),
        (docx("<w:p>"), "corrupt"),
        (docx("<w:sdt>" * 300 + "</w:sdt>" * 300), "too_large"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2000 + "EncryptedPackage".encode("utf-16-le"),
            "encrypted",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2000, "unsupported"),
        (docx(""), "empty"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, content, code):
    with pytest.raises(ExtractionError) as caught:
        text_of(WORD, content, tmp_path)
    assert caught.value.code == code
    assert caught.value.hint
