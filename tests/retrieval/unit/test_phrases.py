"""Which neighbouring words of a question stand side by side in a passage, and what that tells."""

import pytest

from retrieval.legs.phrases import Phrases


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("What was the net carrying amount?", "The carrying amounts fell."),  # other forms of the words
        ("When are allowances for doubtful debts made?", "An allowance for doubtful debts is made yearly."),
        ("What is Acme's grace period?", "GRACE\nPERIOD: ten days"),
        ("什么是数据保护条款？", "本合同的数据保护条款如下"),
    ],
)
def test_words_side_by_side_are_found_in_other_forms(question: str, passage: str) -> None:
    assert Phrases(question, ["en"]).held(passage)


@pytest.mark.parametrize(
    "passage",
    [
        "The amount is carried over from net sales.",  # the words, each by itself
        "Something else altogether.",
        "",
    ],
)
def test_words_that_stand_apart_are_no_phrase(passage: str) -> None:
    assert not Phrases("What was the net carrying amount?", ["en"]).held(passage)


def test_in_its_own_language_a_word_has_other_forms() -> None:
    question = "Welche befristeten Verträge gibt es?"
    assert Phrases(question, ["de"]).held("Befristeter Vertrag vom 1. Mai")
    assert not Phrases(question, ["en"]).held("Befristeter Vertrag vom 1. Mai")


@pytest.mark.parametrize("question", ["", "?", "Why?", "Acme's", "the of and", "a" * 100_000])
def test_a_question_without_neighbouring_words_has_none(question: str) -> None:
    assert not Phrases(question, ["en"])


def test_a_phrase_that_few_passages_have_tells_more() -> None:
    phrases = Phrases("Net sales, deferred revenue?", ["en"])
    held = {
        number: phrases.held(text)
        for number, text in enumerate(["net sales rose"] * 8 + ["deferred revenue fell", "neither"])
    }
    shares = phrases.shares(held)
    assert shares[8] > 2 * shares[0] > shares[9] == 0.0
    assert all(0.0 <= share <= 1.0 for share in shares.values())


def test_what_is_rare_in_one_datasource_is_weighed_among_the_passages_of_all() -> None:
    phrases = Phrases("Net sales, deferred revenue?", ["en"])
    small, large = {1: phrases.held("net sales")}, {n: phrases.held("net sales") for n in range(2, 30)}
    assert phrases.shares(small, [small, large])[1] == phrases.shares(large, [small, large])[2]
