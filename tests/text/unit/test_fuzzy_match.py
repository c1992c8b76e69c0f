"""Searching for the very words, typos allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.normal_forms.normal_form import lower_in_place
from text.search.fuzzy_match import search

TEXTS = [
    "The lessee shall keep the premises in good repair.",
    "Force majeure includes flood, fire and earthquake.",
    "Neither party is liable for delay caused by force\nmajeure or by strikes.",
    "The İstanbul office signs for the Turkish branch.",
    "Ok.",
]


def test_the_same_words_come_first_with_full_score():
    first, *_ = search("flood, fire and earthquake", TEXTS)
    assert (first.index, first.score) == (1, 100)
    assert TEXTS[1][first.start : first.end] == first.text == "flood, fire and earthquake"


@pytest.mark.parametrize("typed", ["forse majuere", "FORCE MAJEURE", "Force  majeur", "force\nmajeure"])
def test_typos_case_and_line_ends_do_not_matter(typed):
    matches = search(typed, TEXTS)
    assert {match.index for match in matches[:2]} == {1, 2}
    assert {" ".join(match.text.lower().split()) for match in matches[:2]} == {"force majeure"}


def test_words_of_a_table_are_found_across_its_cells():
    (match,) = search("name imogen varley", ["Name\tImogen Varley\tMarguerite Ashdown"])
    assert (match.score, match.text) == (100, "Name\tImogen Varley")


def test_the_span_holds_whole_words():
    (match,) = search("emises in good repai", TEXTS, limit=1)
    assert match.text == "premises in good repair"


def test_letters_that_grow_in_lower_case_do_not_shift_the_span():
    (match,) = search("turkish branch", TEXTS, limit=1)
    assert TEXTS[3][match.start : match.end] == match.text == "Turkish branch"


def test_a_tiny_text_does_not_match_a_long_query():
    assert all(match.index != 4 for match in search("books and oak tables on loan", TEXTS, limit=10))


def test_what_is_not_there_is_not_found():
    assert search("photosynthesis chlorophyll", TEXTS) == []
    assert search("   ", TEXTS) == []
    assert search("anything", []) == []


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("Dublin", "The public bin was doubled in size."),
        ("rent", "The current account of the parents."),
        ("clause 4.2", "As clause 4.3 says."),
        ("12,500", "A fee of 12,600 is due."),
        ("MSA", "The MRA and the USA."),
        ("increase in rates", "A decree in the states."),
    ],
)
def test_other_words_of_similar_letters_are_no_match(typed, text):
    assert search(typed, [text]) == []


@pytest.mark.parametrize(
    ("typed", "text", "score"),
    [
        ("Tarnbek", "Tarnbeck pays.", 87.5),
        ("Tarnbeck", "TARNBECK pays.", 100),
        ("terminat", "On termination", 73),
    ],
)
def test_the_score_says_how_near_the_words_are(typed, text, score):
    assert search(typed, [text])[0].score == pytest.approx(score, abs=1)


def test_words_without_spaces_between_them_are_found():
    assert search("违约金", ["逾期付款的违约金为每日万分之五。"])[0].text == "违约金"


def test_of_equal_matches_each_document_comes_once_before_any_comes_twice():
    texts = ["Rent one.", "Rent two.", "Rent three.", "Rent four."]
    matches = search("rent", texts, limit=3, groups=[1, 1, 2, 3])
    assert [match.index for match in matches] == [0, 2, 3]


def test_limit_and_kept_folds():
    matches = search("the", TEXTS, limit=2, folded=[lower_in_place(text) for text in TEXTS])
    assert len(matches) == 2
    assert matches == search("the", TEXTS, limit=2)


@given(texts=st.lists(st.text(max_size=60), max_size=8), query=st.text(min_size=1, max_size=20))
def test_every_match_is_where_it_says(texts, query):
    matches = search(query, texts)
    for match in matches:
        assert texts[match.index][match.start : match.end] == match.text
        assert 0 < match.score <= 100
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)
