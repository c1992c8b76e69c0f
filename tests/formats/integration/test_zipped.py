"""Archives: their files are listed and handed out, within limits, and nothing in them leads anywhere."""

import io
import zipfile
from pathlib import Path

import pytest

from benchmarks import hostile_office
from benchmarks.office_files import docx, paragraph
from formats import ExtractionError, SourceFile
from formats.registry import identify
from formats.rendition.blocks import Note, Table
from formats.word.format import WORD
from formats.zipped import reading
from formats.zipped.format import ZIPPED
from tests.formats.reading import text_of


def packed(files: dict[str, bytes], **options) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", **options) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def taken_out(content: bytes, folder: Path, *, most: int = 9, largest: int = 1000) -> list:
    (folder / "file").write_bytes(content)
    file = SourceFile(path=folder / "file", derived=folder / "derived")
    return list(ZIPPED.attachments(file, most=most, largest=largest))


def test_files_are_listed_and_handed_out_in_the_order_of_their_names(tmp_path):
    content = packed({"b/two.txt": b"two", "a.txt": b"one", "b/": b"", "../up.txt": b"up"})
    assert text_of(ZIPPED, content, tmp_path) == (
        "File\tSize\n../up.txt\t2 bytes\na.txt\t3 bytes\nb/two.txt\t3 bytes"
    )
    found = [(each.name, each.content) for each in taken_out(content, tmp_path)]
    assert found == [("../up.txt", b"up"), ("a.txt", b"one"), ("b/two.txt", b"two")]


def test_how_many_files_are_not_listed_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_LISTED", 2)
    (tmp_path / "file").write_bytes(packed({f"{number}.txt": b"x" for number in range(5)}))
    table, note = reading.blocks_of(tmp_path / "file")
    assert isinstance(table, Table)
    assert len(table.rows) == 3
    assert note == Note(text="3 more files are not listed.", label="Files:")


def test_what_nobody_has_put_in_is_left_out(tmp_path):
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    made = io.BytesIO(
        packed({"a.txt": b"one", "__MACOSX/._a.txt": b"x", "Thumbs.db": b"x", "~$a.docx": b"x"})
    )
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    assert [each.name for each in taken_out(made.getvalue(), tmp_path)] == ["a.txt"]


def test_limits_and_damage_cost_single_files(tmp_path):
    content = bytearray(
        packed({"a.txt": b"x" * 2000, "b.txt": b"kept", "c.txt": b"broken", "d.txt": b"more"})
    )
    content[content.index(b"broken")] ^= 1
    found = taken_out(bytes(content), tmp_path, most=3)
    assert [(each.name, each.size, each.content) for each in found] == [
        ("a.txt", 2000, None),
        ("b.txt", 4, b"kept"),
        ("c.txt", 0, b""),
    ]
    assert found[-1].left_out == 1


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_file_costs_none_behind_it_however_it_is_packed(tmp_path, packing):
    content = bytearray(packed({"a.txt": bytes(range(256)), "b.txt": b"kept"}, compression=packing))
    start = content.index(b"a.txt") + len(b"a.txt")
    content[start + 10 : start + 40] = b"\xff" * 30
    found = [(each.name, each.content) for each in taken_out(bytes(content), tmp_path)]
    assert found == [("a.txt", b""), ("b.txt", b"kept")]


def test_names_in_any_encoding(tmp_path):
    content = packed({"Lärm €.txt": b"one"})
    assert taken_out(content, tmp_path)[0].name == "Lärm €.txt"
    unmarked = content.replace(b"\x00\x08", b"\x00\x00")  # the sign that names are in UTF-8
    assert taken_out(unmarked, tmp_path)[0].name == "Lärm €.txt"


def test_bombs_are_refused(tmp_path):
    for content, code in (
        (packed({"zeros.txt": bytes(100_000_000)}, compression=zipfile.ZIP_DEFLATED), "too_large"),
        (hostile_office.HOSTILE["bomb.docx"](), "too_large"),
        (packed({}), "empty"),
        (b"PK\x03\x04 and nothing more", "corrupt"),
    ):
        with pytest.raises(ExtractionError) as error:
            text_of(ZIPPED, content, tmp_path)
        assert error.value.code == code


def test_a_password_is_told(tmp_path):
    content = bytearray(packed({"a.txt": b"one"}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ExtractionError) as error:
        text_of(ZIPPED, bytes(content), tmp_path)
    assert error.value.code == "encrypted"


def test_a_document_that_is_called_an_archive_is_a_document():
    assert identify("contract.zip", docx(paragraph("Rent."))) is WORD
    assert identify("contracts.zip", packed({"a.txt": b"one"})) is ZIPPED
