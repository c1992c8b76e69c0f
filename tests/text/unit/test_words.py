"""Words, their stems and their comparable forms."""

import pytest

from text.normal_forms.letter_forms import LIGATURES
from text.normal_forms.normal_form import fold, lower_in_place, normal_form
from text.search.search_terms import terms
from text.stems import stem
from text.word_lists import FUNCTION_WORDS, phrases, words
from text.words import COMPOUND, spaced, tokens


def test_compounds_stay_one_word_and_words_are_their_parts() -> None:
    text = "R&D e-mail 4.2 tenant’s ____ U.S. 1,200"
    assert COMPOUND.findall(text) == ["R&D", "e-mail", "4.2", "tenant’s", "U.S", "1,200"]


def test_tokens_are_folded() -> None:
    assert tokens("Müller’s “Straße”—2nd") == ["muller", "s", "strasse", "2nd"]
    assert spaced("One-two\tthree") == "one two three"


@pytest.mark.parametrize(
    "related",
    [
        ("notify", "notified"),
        ("payments", "payment", "Payment's"),
        ("warehouses", "warehouse"),
        ("pays", "paying"),
    ],
)
def test_words_of_one_family_share_a_stem(related: tuple[str, ...]) -> None:
    assert len({stem(word) for word in related}) == 1


def test_other_words_and_other_languages_have_stems_of_their_own() -> None:
    assert stem("notice") != stem("note")
    assert stem("Häuser", "german") == stem("Haus", "german")


def test_a_language_that_is_not_known_is_refused() -> None:
    with pytest.raises(KeyError):
        stem("word", "klingon")


def test_function_words_carry_no_subject() -> None:
    assert {"the", "how", "please", "would"} <= FUNCTION_WORDS
    assert not {"computer", "different", "invoice", "three"} & FUNCTION_WORDS


def test_word_lists_are_written_as_text() -> None:
    assert words("a b\nc") == {"a", "b", "c"}
    assert phrases("new\nyork, paris") == {"new york", "paris"}


def test_folding_ignores_case_and_accents() -> None:
    assert fold("MÜLLER") == fold("müller") == "muller"
    assert fold("Straße") == "strasse"


@pytest.mark.parametrize("text", ["Plain TEXT", "İstanbul\nin\tJuly", "ẞ and ﬁ"])
def test_lowering_in_place_keeps_every_offset(text: str) -> None:
    lowered = lower_in_place(text)
    assert len(lowered) == len(text)
    assert "\n" not in lowered
    assert "\t" not in lowered


def test_the_normal_form_spells_ligatures_out_and_knows_where_each_letter_was() -> None:
    text = "An eﬃcient co-\noperation"
    form, places = normal_form(text)
    assert form == "an efficient cooperation"
    assert len(places) == len(form)
    assert text[places[form.index("operation")]] == "o"
    assert all(text[places[i]] == "ﬃ" for i in range(form.index("ffi"), form.index("ffi") + 3))
    assert set(LIGATURES.values()) >= {"ff", "fi", "fl", "ffi", "ffl", "st"}


@pytest.mark.parametrize(
    "spellings",
    [
        ("الإسلام", "الاسلام", "الإسـلام", "الإِسْلام"),
        ("كتاب", "کتاب"),
        ("على", "علي", "علی"),
        ("مدرسة", "مدرسه"),
        ("اجاره\u200cبها", "اجارهبها"),
        ("חוֹזֶה", "חוזה"),
        ("1250", "١٢٥٠", "۱۲۵۰"),
    ],
)
def test_hebrew_and_arabic_are_found_however_they_are_typed(spellings: tuple[str, ...]) -> None:
    assert len({fold(spelling) for spelling in spellings}) == 1
    assert len({tuple(terms(spelling, None)) for spelling in spellings}) == 1
    assert all(len(tokens(spelling)) == 1 for spelling in spellings)


def test_vowels_written_as_marks_part_no_word() -> None:
    hindi = "किराया हर महीने"
    assert tokens(hindi) == terms(hindi, None) == COMPOUND.findall(hindi) == hindi.split()
