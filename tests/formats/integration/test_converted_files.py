"""Each letter of random sentences has its box, of each format; files made to break reading are refused."""

import pytest

from benchmarks import formats, hostile_office
from formats import ExtractionError

REFUSED = [
    "bomb.docx",
    "bomb.xlsx",
    "bomb.epub",
    "nested.docx",
    "nested.html",
    "entities.docx",
    "cut off.docx",
]
READ = ["entities.html", "wide span.docx", "wide span.html", "far cell.xlsx"]


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx", "epub"])
def test_each_letter_of_a_sentence_has_its_box(tmp_path, kind):
    assert formats.quotes(kind, tmp_path) == "200 of 200 located, 200 boxed on their letters"


@pytest.mark.parametrize("name", REFUSED)
def test_bombs_and_deep_nesting_are_refused_with_a_reason(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(hostile_office.HOSTILE[name]())
    with pytest.raises(ExtractionError) as caught:
        formats.read(path, tmp_path)
    assert caught.value.code in ("too_large", "corrupt")


@pytest.mark.parametrize("name", READ)
def test_what_only_looks_large_is_read(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(hostile_office.HOSTILE[name]())
    assert formats.read(path, tmp_path)
