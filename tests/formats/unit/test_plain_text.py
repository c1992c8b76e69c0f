"""Text files: their encoding is found out, and every character finds its place on a page."""

import zlib

import numpy as np
import pytest

from formats import ExtractionError, PageText
from formats.embedded.pictures import Pictures
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of
from formats.plain_text.decoding import decode
from formats.plain_text.layout import MAX_CHARACTERS, MAX_PAGES, lay_out
from formats.rendition.alignment import with_source_text
from formats.rendition.blocks import Paragraph
from formats.rendition.typesetting import COLUMNS, ROWS

GERMAN = "Größe und Maß: für alle Käufer gilt die Änderung – „wie vereinbart“."
FRENCH = "L'été dernier, la société a modifié ses règles générales ; le siège était à Orléans."
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy a smlouva končí v září."
RUSSIAN = "Договор заключён на срок тридцать дней и может быть продлён."
CHINESE = "合同自签字之日起生效，有效期为三十天。双方应当履行各自的义务。"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Plain ASCII.", "ascii"),
        (GERMAN, "utf-8"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (GERMAN, "utf-32"),
        (GERMAN, "cp1252"),
        (FRENCH, "latin-1"),
        ("The license costs 100 £ a year, and it is paid in advance by the customer.", "cp1252"),
        ("Dear Mr Müller, José sends his regards.", "cp1252"),
        ("Müller pays £48,250 now and £12 later – “without delay”.", "cp1252"),
        ("A naïve reading by François costs £3.", "cp1252"),
        ("Lech Wałęsa spoke in Gdańsk, said the report of the committee in Łódź.", "cp1250"),
        (CZECH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (CHINESE, "gb18030"),
        (CHINESE, "utf-8"),
    ],
)
def test_the_encoding_is_found_out(text, encoding):
    assert decode(text.encode(encoding)) == text.replace("\xa0", " ")


def test_one_broken_byte_does_not_spoil_a_text():
    content = GERMAN.encode() + b" \xff " + FRENCH.encode()
    assert decode(content) == f"{GERMAN} \ufffd {FRENCH}"


@pytest.mark.parametrize(
    "content", [b"\0" * 5000, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x01\x02", bytes(range(256)) * 20]
)
def test_what_is_no_text_is_refused(content):
    with pytest.raises(ExtractionError) as caught:
        decode(content)
    assert caught.value.code == "unsupported"


def test_characters_that_cannot_be_seen_are_dropped():
    long = "a text with few of them " * 20
    assert decode(b"one\r\ntwo\rthree\x0bfour\x07\0 five\tsix\x0c" + long.encode()) == (
        f"one\ntwo\nthree\nfour five\tsix\f{long}"
    )
    assert decode("co\xadoperate\u200b\ufeff, a\xa0b\u2028c".encode()) == "cooperate, a b\nc"


def test_letters_with_accents_are_one_character_and_nothing_unseen_stays() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "pay")
    text = f"The cafe\u0301 Mu\u0308ller:\tdepo\u2063sit{tags}, soft\u034fware, \u202e005 $\u202c.\fEnd"
    assert decode(text.encode()) == "The café Müller:\tdeposit, software, 005 $.\fEnd"


def test_an_accent_on_a_sign_of_markup_makes_it_no_letter() -> None:
    root = parse_html("<meta charset=utf-8><p>\u0338Mu\u0308ller</p>".encode())
    assert list(blocks_of(root, Pictures())) == [Paragraph(text="\u0338Müller")]
    root = parse_html("<p>\u0338Mu\u0308ller</p>".encode())
    assert list(blocks_of(root, Pictures())) == [Paragraph(text="\u0338Müller")]


def texts(text):
    return [page.text for page in lay_out(text)]


def test_a_form_feed_ends_a_page():
    assert texts("one\ftwo\f\f \n\fthree\n") == ["one", "two", "three"]


def test_a_page_ends_when_it_is_full():
    lines = [f"line {number}" for number in range(ROWS + 1)]
    assert texts("\n".join(lines)) == ["\n".join(lines[:ROWS]), lines[ROWS]]


def test_indents_blank_lines_and_tabs_stay():
    (page,) = lay_out("  Name\tRent\n\n    Ann\t1,200\n")
    assert page.text == "  Name\tRent\n\n    Ann\t1,200"
    assert page.lines == ("  Name  Rent", "", "    Ann 1,200")


@pytest.mark.parametrize(
    "line",
    [
        "word " * 100,
        "x" * 1000,
        "word " * 10 + "x" * 300 + " word" * 30,
        "a\tb" * 100,
        "合同自签字之日起生效" * 30,
        "mixed 合同 words and 文字 " * 20,
        "e\u0301" * 300,
        " " * 500 + "late",
        "end" + " " * 500,
    ],
)
def test_long_lines_are_wrapped_and_nothing_is_lost(line):
    (page,) = lay_out(f"before\n{line}\nafter")
    assert page.text == f"before\n{line}\nafter"
    assert "".join("".join(page.lines).split()) == "".join(page.text.split())
    wide = [sum(2 if "一" <= c <= "鿿" else c != "\u0301" for c in row) for row in page.lines]
    assert max(wide) <= COLUMNS


def test_words_are_kept_whole_where_they_fit():
    (page,) = lay_out("termination " * 20)
    assert {word for row in page.lines for word in row.split()} == {"termination"}
    assert len(page.lines) == 3


@pytest.mark.parametrize(
    ("text", "code"), [("", "empty"), (" \n\t\f\n", "empty"), ("a\f" * (MAX_PAGES + 1), "too_large")]
)
def test_what_cannot_be_laid_out_has_a_reason(text, code):
    with pytest.raises(ExtractionError) as caught:
        lay_out(text)
    assert caught.value.code == code


def drawn_as(text):
    """A page as the PDF gives it back, its n-th character in a box that begins at n + 1."""
    boxes = np.array([[n + 1, 5, n + 2, 9] for n in range(len(text))], dtype="<u2")
    return PageText(number=1, text=text, boxes=zlib.compress(boxes.tobytes()), width=595, height=842)


@pytest.mark.parametrize(
    ("source", "drawn", "lost"),
    [
        ("  Rent:\t1,200\n\n euros", "Rent: 1,200\neuros", ""),
        ("an exam-\nple of it", "an example of it", "-"),
        ("the 合 sign", "the  sign", "合"),
        ("合同 sign", "同 sign", "合"),
    ],
)
def test_the_files_text_gets_the_boxes_of_what_is_drawn(source, drawn, lost):
    page = with_source_text(drawn_as(drawn), source)
    assert page.text == source
    boxes = np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4)
    assert len(boxes) == len(source)
    placed = [
        (character, drawn[box[0] - 1]) for character, box in zip(source, boxes, strict=True) if box.any()
    ]
    assert all(character == other for character, other in placed)
    assert [c for c, box in zip(source, boxes, strict=True) if not box.any() and not c.isspace()] == list(
        lost
    )


def test_a_lost_letter_takes_no_mark_off_the_rest_of_a_dense_page():
    table = "0.00 " * 2_000
    page = with_source_text(drawn_as(f"{table}Sum {table}"), f"{table}\U0001f600Sum \U0001f600{table}")
    boxes = np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4)
    assert [c for c, box in zip(page.text, boxes, strict=True) if not box.any() and c != " "] == [
        "\U0001f600"
    ] * 2


@pytest.mark.parametrize("filler", ["\u0301", " ", "\t", "\u200d"])
def test_a_row_is_never_long_though_its_characters_take_no_room(filler):
    pages = lay_out("Notice a" + filler * 500_000 + "b ends here.")
    assert max(len(page.text) for page in pages) <= ROWS * MAX_CHARACTERS
    assert pages[0].text.startswith("Notice a")
    assert pages[-1].text.endswith("b ends here.")


def test_marks_that_are_drawn_in_another_way_cost_little_time():
    drawn = PageText(number=1, text="a" * 30_000, boxes=zlib.compress(bytes(240_000)), width=1, height=1)
    assert with_source_text(drawn, "\u0301" * 30_000).text == "\u0301" * 30_000
