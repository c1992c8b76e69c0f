"""Letters that nobody sees, and accents apart from their letters: words are found all the same."""

import unicodedata

import pytest

from english.vocabulary import Vocabulary
from text.normal_forms.clean_form import clean_form, cleaned, is_seen
from text.normal_forms.normal_form import normal_form
from text.search import fuzzy_match
from text.search.query_words import QueryWords
from text.search.search_terms import terms
from text.search.very_words import very_words

APART = "The cafe\u0301 Mu\u0308ller closes at ten."
TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "pay")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (APART, "The café Müller closes at ten."),
        (
            "depo\u2063sit soft\u034fware insu\u180erance se\ufe00lector",
            "deposit software insurance selector",
        ),
        (f"Seen.{TAGS}\U000e0101", "Seen."),
        ("\u202e005 $\u202c \u2066x\u2069", "005 $ x"),
        ("Auf\u200clage dep\u200dosit \u200d", "Auflage deposit "),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("\u200b", ""),
        ("u\u034f\u0308", "ü"),
        ("\u1112\u1161\u11ab", "한"),
    ],
)
def test_the_clean_form_has_what_people_see_and_knows_where_it_stood(text: str, form: str) -> None:
    assert clean_form(text) == form
    clean = cleaned(text)
    assert clean.text == form
    for place in range(len(form)):
        start, end = clean.before(place, place + 1)
        assert (
            clean_form(text[start:end]) == form[place] or form[place] == "\u200c" or form[place] == "\u200d"
        )
    assert clean_form(form) == form


def test_marks_in_any_order_and_letters_that_expand_keep_a_place_each() -> None:
    text = "x a\u0301\u0323y \u0958 z\u0301\u0302"
    clean = cleaned(text)
    assert clean.text == unicodedata.normalize("NFC", text)
    assert clean.spans is not None
    assert len(clean.spans) == len(clean.text)
    assert all(0 <= start < end <= len(text) for start, end in clean.spans)
    assert text[slice(*clean.before(*_place("y", clean.text)))] == "y"


def test_words_of_stored_texts_are_found_however_their_letters_are_composed() -> None:
    assert terms(APART) == terms(clean_form(APART))
    assert terms("The depo\u2063sit") == terms("The deposit")
    assert Vocabulary([APART, "a depo\u2063sit"]).absent(["Müller", "café", "deposit", "Meier"]) == ["Meier"]
    for query in ("Müller", "Mu\u0308ller"):
        start, end = QueryWords(query).held_by(APART).spans[0]
        assert APART[start:end] == "Mu\u0308ller"
        ((start, end),) = very_words(query, APART)
        assert APART[start:end] == "Mu\u0308ller"
        (match,) = fuzzy_match.search(query, [APART])
        assert (match.score, APART[match.start : match.end]) == (100, "Mu\u0308ller")
        assert match.text == "Mu\u0308ller"


def test_a_quote_is_found_in_a_text_with_unseen_letters() -> None:
    text = f"The depo\u2063sit{TAGS} of Mu\u0308ller is 500."
    sought = normal_form("deposit of Müller")[0]
    form, places = normal_form(text)
    assert sought in form
    assert text[places[form.index(sought)]] == "d"


@pytest.mark.parametrize("name", ["", " ", "\u202e", "\u2063\u3164", "\u2800", "\u0301", TAGS, "\ue000"])
def test_a_name_without_ink_is_not_seen(name: str) -> None:
    assert not is_seen(name)
    assert is_seen(f"{name}A")


def _place(letter: str, text: str) -> tuple[int, int]:
    return text.index(letter), text.index(letter) + 1
