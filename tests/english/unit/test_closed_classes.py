"""The classes of words to which English adds none."""

import re

from english.closed_classes import AUXILIARIES, DETERMINERS, MODALS, NEGATIONS, PREPOSITIONS, PRONOUNS, one_of
from text.word_lists import FUNCTION_WORDS


def test_a_pattern_takes_the_whole_word_where_another_begins_like_it():
    negation = re.compile(rf"{one_of(NEGATIONS)}(?!\w)")

    assert [found[0] for found in negation.finditer("neither not nor nothing no")] == [
        "neither",
        "not",
        "nor",
        "nothing",
        "no",
    ]


def test_several_classes_make_one_pattern():
    asks = re.compile(one_of(MODALS, ["ought"]))

    assert asks.fullmatch("should")
    assert asks.fullmatch("ought")
    assert not asks.fullmatch("is")


def test_these_words_carry_no_meaning_of_their_own():
    assert FUNCTION_WORDS >= AUXILIARIES
    assert FUNCTION_WORDS >= DETERMINERS


def test_no_word_of_one_class_is_of_another_but_for_the_possessives():
    assert PREPOSITIONS.isdisjoint(AUXILIARIES | DETERMINERS | PRONOUNS)
    assert {"its", "their", "our", "his", "her"} == DETERMINERS & PRONOUNS
