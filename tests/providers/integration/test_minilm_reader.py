"""The reader that comes with SVQ: which of a few plain sentences answer a question."""

import math

import pytest
from django.conf import settings

from providers.minilm.reader import WEIGHTS, MiniLMReader

LEASE = (
    ("Rent", "The Tenant shall pay a rent of £950 a month, in advance."),
    ("Rent", "The Landlord may enter the cottage to read the meter."),
    ("Animals", "The Tenant shall not keep a dog, a cat or any other animal without consent."),
)


@pytest.fixture(scope="module")
def reader() -> MiniLMReader:
    return MiniLMReader(settings.MODELS_DIR)


@pytest.mark.parametrize(
    ("question", "right"), [("How much is the rent?", 0), ("May the tenant keep a dog?", 2)]
)
def test_the_sentence_that_answers_is_above_the_others_and_above_nothing(
    reader: MiniLMReader, question: str, right: int
) -> None:
    scores = reader.scores(question, LEASE)
    assert scores[right] == max(scores)
    assert scores[right] > 0


def test_sentences_about_the_same_that_do_not_answer_are_below_nothing(reader: MiniLMReader) -> None:
    assert max(reader.scores("In which year was the cottage built?", LEASE)) < 0


def test_a_sentence_keeps_its_score_beside_others_and_at_any_length(reader: MiniLMReader) -> None:
    question = "How much is the rent?"
    alone = [reader.scores(question, [pair])[0] for pair in LEASE]
    long = ("Rent " * 500, "The rent is due on the first day. " * 500)
    assert reader.scores(question * 100, [long])
    assert reader.scores(question, [*LEASE, long])[:3] == pytest.approx(alone, abs=0.7)
    assert reader.scores(question, []) == []


def test_texts_of_invisible_signs_have_a_score_too(reader: MiniLMReader) -> None:
    assert all(map(math.isfinite, reader.scores("\u200b" * 20, [("", "\u200b" * 20), ("\x07", "\x07" * 20)])))


def test_its_weights_are_small_enough_for_the_repository() -> None:
    assert WEIGHTS.stat().st_size < 8_000_000
