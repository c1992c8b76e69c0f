"""Messages that Outlook has saved are read like those that mail programs send."""

import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from formats import DocumentInfo, ExtractionError, SourceFile
from formats.mail.compressed_rtf import KNOWN, decompressed
from formats.mail.format import MAIL, OUTLOOK
from formats.mail.rtf import html_or_text
from formats.registry import identify, sample_of
from tests.formats.outlook_files import compound_file, message
from tests.formats.reading import text_of

SUBJECT, SENDER, ADDRESS, HEADERS, TEXT, RTF, HTML = 0x37, 0x42, 0x5D02, 0x7D, 0x1000, 0x1009, 0x1013
SENT = datetime(2026, 3, 5, 10, 30, tzinfo=UTC)
HEADS = {SUBJECT: "Lease – draft", SENDER: "Ann Lee", ADDRESS: "ann@example.org"}
IN_RTF = (
    rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}}"
    rb"{\*\htmltag64 <p>}\htmlrtf {\par \htmlrtf0 The fee is \'80475 "
    rb"{\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 a month\htmlrtf }\htmlrtf0 {\*\htmltag92 </b>}"
    rb"{\*\htmltag72 </p>}{\*\mhtmltag84 <i>}}"
)


def packed(rtf: bytes) -> bytes:
    """As Outlook compresses it, without using what came before."""
    letters = b"".join(b"\0" + rtf[start : start + 8] for start in range(0, len(rtf), 8))
    return struct.pack("<II4sI", len(letters) + 12, len(rtf), b"LZFu", 0) + letters


def read(tree, folder: Path) -> str:
    return text_of(OUTLOOK, compound_file(tree), folder)


def test_heads_body_and_what_the_file_says_of_itself(tmp_path):
    tree = message(
        {**HEADS, TEXT: "Please sign.\r\n\r\nAnn"},
        to={"bo@example.org": "Bo Chan"},
        cc={"cy@example.org": "Cy"},
        sent=SENT,
    )
    assert read(tree, tmp_path) == (
        "Lease – draft\n\nFrom\tAnn Lee <ann@example.org>\n"
        "To\tBo Chan <bo@example.org>\nCc\tCy <cy@example.org>\n"
        "Date\tThu, 05 Mar 2026 10:30:00 +0000\n\nPlease sign.\n\nAnn"
    )
    (tmp_path / "file").write_bytes(compound_file(tree))
    info = next(OUTLOOK.read(SourceFile(path=tmp_path / "file", derived=tmp_path / "derived")))
    assert isinstance(info, DocumentInfo)
    told = info.properties
    assert (told.subject, told.sender, told.sent) == (
        "Lease – draft",
        "Ann Lee <ann@example.org>",
        "2026-03-05T10:30:00+00:00",
    )
    assert told.recipients == ("Bo Chan <bo@example.org>", "Cy <cy@example.org>")


def test_heads_as_they_were_sent_count_more(tmp_path):
    heads = (
        "From: Ann <ann@mail.example>\r\nDate: Thu, 5 Mar 2026 11:30:00 +0100\r\nTo: bo@example.org\r\n\r\n"
    )
    text = read(message({**HEADS, HEADERS: heads, TEXT: "Hello."}, sent=SENT), tmp_path)
    assert (
        "From\tAnn <ann@mail.example>\nTo\tbo@example.org\nDate\tThu, 5 Mar 2026 11:30:00 +0100\n\nHello."
        in text
    )


@pytest.mark.parametrize(
    "body",
    [
        {HTML: b"<p>The fee is &euro;475 <b>a month</b></p>", TEXT: "other"},
        {RTF: packed(IN_RTF), TEXT: "other"},
        {RTF: packed(rb"{\rtf1\ansi\fromtext The fee is \u8364?475 a\~month}")},
        {TEXT: "The fee is €475 a month", RTF: packed(rb"{\rtf1\ansi other}")},
    ],
    ids=["html", "html in rtf", "text in rtf", "text"],
)
def test_whatever_the_body_is_kept_as_it_is_what_a_reader_sees(tmp_path, body):
    assert read(message({**HEADS, **body}), tmp_path).endswith("\n\nThe fee is €475 a month")


def test_attached_files_and_messages(tmp_path):
    inner = message({SUBJECT: "Inner", TEXT: "Within."}, attached={"plan.pdf": b"%PDF-1"}, is_inner=True)
    tree = message({**HEADS, TEXT: "See all."}, attached={"Lärm.txt": b"a" * 5000, "Inner": inner})
    (tmp_path / "file").write_bytes(compound_file(tree))
    file = SourceFile(path=tmp_path / "file", derived=tmp_path / "derived")
    found = [(each.name, each.content) for each in OUTLOOK.attachments(file, most=9, largest=10_000)]
    assert found == [("Lärm.txt", b"a" * 5000), ("plan.pdf", b"%PDF-1")]
    text = read(tree, tmp_path)
    assert "See all.\n\nAttached: Lärm.txt, 5,000 bytes\n\nInner\n\nWithin." in text


def test_an_attached_message_of_a_mail_program_is_read_like_one_of_outlook(tmp_path):
    inner = (
        b"From: bo@example.org\r\nSubject: Inner\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
        b"--x\r\nContent-Type: text/plain\r\n\r\nWithin.\r\n"
        b"--x\r\nContent-Type: application/pdf; name=plan.pdf\r\n\r\n%PDF-1\r\n--x--\r\n"
    )
    tree = message({**HEADS, TEXT: "See all."}, attached={"a.eml": inner, "b.eml": b"no message"})
    assert "\n\nInner\n\nFrom\tbo@example.org\n\nWithin." in read(tree, tmp_path)
    assert "Attached: b.eml, 10 bytes" in read(tree, tmp_path)
    file = SourceFile(path=tmp_path / "file", derived=tmp_path / "derived")
    found = [(each.name, each.content) for each in OUTLOOK.attachments(file, most=9, largest=10_000)]
    assert found == [("plan.pdf", b"%PDF-1"), ("b.eml", b"no message")]


def test_an_encrypted_message_says_so(tmp_path):
    sealed = b"Content-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nMIIB"
    tree = message({**HEADS, 0x1A: "IPM.Note.SMIME"}, attached={"smime.p7m": sealed})
    with pytest.raises(ExtractionError) as error:
        read(tree, tmp_path)
    assert error.value.code == "encrypted"


def test_a_signed_message_is_read(tmp_path):
    signed = (
        b"Content-Type: multipart/signed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\n"
        b"Signed words.\r\n--x\r\n"
        b"Content-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nMIIB\r\n--x--\r\n"
    )
    tree = message({**HEADS, 0x1A: "IPM.Note.SMIME.MultipartSigned"}, attached={"smime.p7m": signed})
    assert "Signed words." in read(tree, tmp_path)


def test_it_is_known_by_its_content(tmp_path):
    content = compound_file(message({**HEADS, TEXT: "Hello."}))
    (tmp_path / "file").write_bytes(content)
    with (tmp_path / "file").open("rb") as file:
        assert identify("note.eml", sample_of(file)) is OUTLOOK
    assert identify("note.msg", b"From: a@example.org\nDate: today\nSubject: x\n\nHello") is MAIL


@pytest.mark.parametrize("kept", [1, 3, 600, 2000])
def test_a_damaged_message_says_so(tmp_path, kept):
    content = compound_file(message({**HEADS, TEXT: "Hello." * 2000}))
    for damaged in (
        content[:kept],
        content[:kept] + b"\xff" * 3000,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"?" * kept,
    ):
        with pytest.raises(ExtractionError) as error:
            text_of(OUTLOOK, damaged, tmp_path)
        assert error.value.code == "corrupt"


def test_compressed_rtf_repeats_what_came_before():
    place = KNOWN.index(b"Arial")
    tokens = bytes([0b00000111]) + struct.pack(">HHH", place << 4 | 3, (len(KNOWN)) << 4 | 3, 0) + b"!"
    assert decompressed(struct.pack("<II4sI", 30, 11, b"LZFu", 0) + tokens)[:10] == b"ArialArial"
    assert decompressed(struct.pack("<II4sI", 30, 4, b"MELA", 0) + b"{\\r}") == b"{\\r}"
    with pytest.raises(ExtractionError):
        decompressed(struct.pack("<II4sI", 30, 2**31, b"LZFu", 0))


def test_rtf_of_several_alphabets():
    fonts = rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset134 SimSun;}}"
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252"
        + fonts
        + rb"{\f1\'ef\'f0\'e8} caf\'e9 {\f2 \'c4\'e3}\par\emdash{\*\unknown x}\u-10179?\u-8694?}"
    )
    assert html_or_text(rtf) == ("при café 你\n—😊", False)
