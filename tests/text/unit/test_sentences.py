"""Where sentences end, and where lines, rows and items do."""

import time

import pytest

from text.sentences import sentence_ends, sentences


def shown(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. We left!", ["It rained.", "We left!"]),
        ("At 3:10 a.m. EST the storm came. It left.", ["At 3:10 a.m. EST the storm came.", "It left."]),
        ("Harper & Row v. Nation was decided.", ["Harper & Row v. Nation was decided."]),
        ("See No. 1, e.g. the U.S. edition. Done.", ["See No. 1, e.g. the U.S. edition.", "Done."]),
        ("Under 28 U.S.C. § 586 he may. Done.", ["Under 28 U.S.C. § 586 he may.", "Done."]),
        ("See 28 C.F.R. Part 58 first. Done.", ["See 28 C.F.R. Part 58 first.", "Done."]),
        ("J. R. Ashby signed. So did M. Okafor.", ["J. R. Ashby signed.", "So did M. Okafor."]),
        ("It studies ceramic arts. The kiln is old.", ["It studies ceramic arts.", "The kiln is old."]),
        ("It costs 3.50. Next.", ["It costs 3.50.", "Next."]),
        ("He asked “Why?” She left.", ["He asked “Why?”", "She left."]),
        ("契約は終了する。更新はない。", ["契約は終了する。", "更新はない。"]),
        ("no capital. follows here", ["no capital. follows here"]),
        ("Geschlossen am 12. April 2025. Ende.", ["Geschlossen am 12. April 2025.", "Ende."]),
        (
            "Er läuft vom 1. April 2025 bis\nzum 31.\nMärz 2028 und ab\n1. Mai 2028 neu.\nEnde.",
            ["Er läuft vom 1. April 2025 bis\nzum 31.\nMärz 2028 und ab\n1. Mai 2028 neu.", "Ende."],
        ),
        ("Zahlbar am 3. Werktag im 2. Halbjahr. Neu.", ["Zahlbar am 3. Werktag im 2. Halbjahr.", "Neu."]),
        ("Fällig am 12. Der Rest folgt.", ["Fällig am 12.", "Der Rest folgt."]),
        (
            "Gemäß § 5 Abs. 2 Nr. 5 gilt z. B. Miete, d. h. Entgelt. Art. 6 gilt.",
            ["Gemäß § 5 Abs. 2 Nr. 5 gilt z. B. Miete, d. h. Entgelt.", "Art. 6 gilt."],
        ),
        ("El contrato n.º 5 es de la Sra. Gómez. Fin.", ["El contrato n.º 5 es de la Sra. Gómez.", "Fin."]),
        ("Dès le 1er mars, l'al. 2 vaut. Fin.", ["Dès le 1er mars, l'al. 2 vaut.", "Fin."]),
        ("It is in Annex a. The rest is in b.", ["It is in Annex a.", "The rest is in b."]),
    ],
)
def test_a_sentence_ends_where_another_one_begins(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


def test_a_name_may_begin_with_a_small_letter() -> None:
    text = "Sales fell due to laptops. iPad sales rose, e.g. in Asia."
    assert [text[start:end] for start, end in sentences(text)] == [
        "Sales fell due to laptops.",
        "iPad sales rose, e.g. in Asia.",
    ]


def test_ends_are_told_for_a_part_of_a_text() -> None:
    text = "One. Two. Three. Four."
    assert [text[:end] for end in sentence_ends(text)] == ["One.", "One. Two.", "One. Two. Three."]
    assert list(sentence_ends(text, 5, 12)) == [9]


def test_a_wrapped_line_is_no_end_but_a_short_one_is() -> None:
    wrapped = "The Supplier shall back up the data every night and keep\nevery copy in two places."
    text = f"{wrapped}\nFees\nThe fee is due monthly."
    assert shown(text) == [wrapped, "Fees", "The fee is due monthly."]


def test_rows_and_items_stand_alone() -> None:
    assert shown("Plant\t2023\nTomato\t41\nKale\t7") == ["Plant\t2023", "Tomato\t41", "Kale\t7"]
    assert shown("Bring:\n• a coat\n• two pens") == ["Bring:", "• a coat", "• two pens"]


def test_together_the_sentences_hold_every_word() -> None:
    text = "1. Rent\nThe rent is due. \n\n  It is £950.\t(a) in advance\n(b) by bank"
    assert "".join(shown(text)).split() != []
    assert "".join("".join(shown(text)).split()) == "".join(text.split())


def test_a_page_of_dots_takes_no_long_time() -> None:
    started = time.process_time()
    sentences("Fees" + "." * 60_000 + "7\n")
    assert time.process_time() - started < 5
