"""Questions for a fact within a sentence: they read as people ask, or are not made."""

import pytest

from english.questions.facts import facts

NAMES = {"Acme Ltd": False, "Ada Byron": True, "Scrooge": True, "Byron": True}
WRITTEN = {"the", "survey", "respondents", "shares", "students", "depot", "listed"}


def asked(sentence: str) -> dict[str, str]:
    return {fact.question: fact.answer for fact in facts(sentence, WRITTEN, NAMES)}


def test_a_sentence_is_asked_for_each_fact_in_it() -> None:
    assert asked("3.2 Acme Ltd opened 14 depots in the north of England (see the map) in 2019.") == {
        "Which organisation opened 14 depots in the north of England in 2019?": "Acme Ltd",
        "When did Acme Ltd open 14 depots in the north of England?": "2019",
        "How many depots did Acme Ltd open in the north of England in 2019?": "14",
    }


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        (
            "Scrooge took his melancholy dinner in his usual melancholy tavern.",
            "Who took his melancholy dinner in his usual melancholy tavern?",
            "Scrooge",
        ),
        (
            "Mrs. Byron, the chief engineer of the northern depots, resigned.",
            "Who was the chief engineer of the northern depots?",
            "Mrs. Byron",
        ),
        ("Ada Byron is the chief engineer of Acme.", "Who is Ada Byron?", "the chief engineer of Acme"),
        (
            "In May 2019, the German edition of the game was awarded a prize.",
            "When was the German edition of the game awarded a prize?",
            "May 2019",
        ),
        (
            "About 40 respondents answered the second questionnaire of the northern survey.",
            "How many respondents answered the second questionnaire of the northern survey?",
            "About 40",
        ),
        (
            "There were twelve depots in the north of England.",
            "How many depots were there in the north of England?",
            "twelve",
        ),
        (
            "The first depot of Acme is located in Leeds.",
            "Where is the first depot of Acme located?",
            "Leeds",
        ),
        (
            "Acme Ltd closed the depot in Leeds because its lease had ended.",
            "Why did Acme Ltd close the depot in Leeds?",
            "its lease had ended",
        ),
    ],
)
def test_the_question_and_its_answer(sentence: str, question: str, answer: str) -> None:
    assert asked(sentence).get(question) == answer


@pytest.mark.parametrize(
    "sentence",
    [
        "Scrooge went home.",  # nothing tells when
        "Scrooge said that the northern depots of Acme were closed.",  # talk
        "Shares issued by Acme Ltd fell in 2020.",  # a participle
        "Byron and Acme Ltd opened the depot in Leeds in 2019.",  # two subjects
        "It opened 14 depots in the north of England.",  # who?
        "The depot opened its doors in 2019.",  # which?
        "Students from three schools graduated and are headed to Leeds in 2017.",  # two verbs
        "Acme Ltd opened “the depot” in Leeds in 2019.",
        "Page 3 of 12 depots.",
    ],
)
def test_what_cannot_be_asked_plainly_is_not(sentence: str) -> None:
    assert not {question for question in asked(sentence) if not question.startswith("Which organisation")}
