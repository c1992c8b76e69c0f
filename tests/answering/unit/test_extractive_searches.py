"""What the keyless model searches for, and what it reads out of a conversation."""

import json

import pytest

from answering.extractive.answer_kinds import Kind
from answering.extractive.question import Question
from answering.extractive.searches import first_searches, literal_words, read
from answering.extractive.words import Terms, names, possessed, stems
from answering.tools.passages import KeyedPassage, write
from providers.protocols import Message, ToolCall


def question(text: str) -> Question:
    return Question.of(text, "")


def test_a_question_of_two_questions_is_searched_for_whole_and_in_parts() -> None:
    asked = question("What uptime does the contract promise and what did Waypoint achieve in 2025?")
    queries = [values["query"] for name, values in first_searches(asked) if name == "search_chunks"]
    assert queries == [
        asked.text,
        "What uptime does the contract promise",
        "what did Waypoint achieve in 2025?",
    ]


def test_a_part_that_leans_on_the_rest_is_not_searched_for_alone() -> None:
    parts = question("Which warehouse burned down and when was it rebuilt in stone?").parts
    assert parts[1].text == "Which warehouse burned down and when was it rebuilt in stone?"
    assert parts[1].asked == "when was it rebuilt in stone?"


@pytest.mark.parametrize(
    ("asked", "second"),
    [
        (
            "What is the break date and what notice must be given?",
            "What is the break date and what notice must be given?",
        ),
        (
            "What notice is due under the contract of employment, and what is the salary?",
            "what is the salary under the contract of employment",
        ),
    ],
)
def test_a_short_second_question_is_about_the_same_matter_or_document(asked: str, second: str) -> None:
    assert question(asked).parts[1].text == second


@pytest.mark.parametrize(
    ("asked", "second"),
    [
        (
            "What was Acme's revenue in 2023, and what was the net profit margin?",
            "what was the net profit margin? Acme 2023",
        ),
        (
            "What was Acme's revenue in 2023, and what was Zenith's net profit in 2021?",
            "what was Zenith's net profit in 2021?",
        ),
        ("How soon must the Supplier answer, and where are backups kept?", "where are backups kept?"),
    ],
)
def test_a_second_question_takes_whom_and_when_from_the_first_unless_it_names_its_own(
    asked: str, second: str
) -> None:
    assert question(asked).parts[1].text == second


def test_names_codes_and_quoted_words_are_looked_up_by_their_letters() -> None:
    words = literal_words("Does “force majeure” in LIS 214 bind Tarnbeck since 2025?")
    assert words == ["force majeure", "force", "majeure", "LIS"]
    assert names("When does Tarnbeck pay in March 2025?") == ["Tarnbeck", "2025"]


@pytest.mark.parametrize(
    ("asked", "holds", "holds_none"),
    [
        ("How long is the notice period?", "It is three months.", "It is in writing."),
        ("How much does it cost?", "The fee is £950.", "The fee is due monthly."),
        ("When does it end?", "It ends on 30 April 2027.", "It ends with notice."),
        ("Who signed it?", "It was signed by Ada Lovelace.", "it was signed twice."),
        ("Why did sales fall?", "They fell because of the strike.", "They fell sharply."),
        ("How many days are free?", "Eighteen days of training are free.", "The days are often not free."),
        ("How many people may enter?", "Nineteen in December.", "The tenants and none besides."),
    ],
)
def test_a_question_wants_a_kind_of_answer(asked: str, holds: str, holds_none: str) -> None:
    assert Kind(asked).fits(holds) == 1.0
    assert Kind(asked).fits(holds_none) == 0.0


def test_any_kind_may_answer_a_question_that_names_none() -> None:
    assert Kind("Describe the site.").fits("It is large.") == 0.5


def test_rare_words_of_the_question_count_more() -> None:
    texts = [set(stems(f"The warehouse in {town} stores food.")) for town in ("Perth", "Leeds", "Ghent")]
    terms = Terms("Which warehouse is in Perth?", texts)
    assert terms.covered({"perth"}) > terms.covered({"warehous"}) > 0
    assert terms.covered({"perth", "warehous"}) == pytest.approx(1.0)


def conversation(*results: tuple[str, dict[str, object], str]) -> list[Message]:
    calls = tuple(
        ToolCall(id=str(number), name=name, arguments=json.dumps(arguments))
        for number, (name, arguments, _) in enumerate(results)
    )
    return [
        Message(role="user", content="What is the rent?"),
        Message(role="assistant", content="It is £950."),
        Message(role="user", content="And the deposit of Ashby?"),
        Message(role="assistant", tool_calls=calls),
        *(
            Message(role="tool", tool_call_id=str(n), content=content)
            for n, (*_, content) in enumerate(results)
        ),
    ]


def keyed(key: str, score: float, text: str = "A text.") -> KeyedPassage:
    return KeyedPassage(key=key, document=f"Document {key}", pages="1", score=score, text=text)


def test_passages_are_read_with_their_nearness_to_the_question() -> None:
    asked = "What is the rent? And the deposit of Ashby?"
    findings = read(
        conversation(
            ("search_chunks", {"query": asked}, write([keyed("c1", 0.7), keyed("c2", 0.4)])),
            ("search_literal", {"words": "Ashby"}, write([keyed("c3", 0.9), keyed("c4", 0.5)])),
            ("search_literal", {"words": "deposit"}, "The tool failed. Try another."),
        )
    )
    assert findings.question == Question(text=asked, asked="And the deposit of Ashby?")
    assert findings.rounds == 1
    assert {one.key: one.score for one in findings.passages} == {"c1": 0.7, "c2": 0.4, "c3": 0.4}
    assert findings.holders == {"Ashby": {"Document c3": 1}, "deposit": {}}


def test_a_question_with_words_of_its_own_borrows_nothing() -> None:
    own = Question.of("When does the tenancy of the cottage end?", "What is the rent?")
    assert own.text == "When does the tenancy of the cottage end?"


@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        (["What was total net sales in 2023?", "And in 2022?"], "What was total net sales ? And in 2022?"),
        (
            ["What was total net sales in the third quarter of 2023?", "and in the second quarter?"],
            "What was total net sales of 2023? and in the second quarter?",
        ),
        (["What is Apple's tax rate?", "And Intel's?"], "What is tax rate? And Intel's?"),
        (
            ["What was net income in 2023?", "and in 2022?", "and in 2021?"],
            "What was net income ? and ? and in 2021?",
        ),
        (
            ["When does the lease start?", "And when does it end?"],
            "When does the lease start? And when does it end?",
        ),
        (["When does the lease start?", "Why?"], "When does the lease start? Why?"),
        (["What is the limit of indemnity?", "And the premium?"], "What is the premium?"),
        (["How much is the rent of Flat 14b?", "And the deposit?"], "How much is the deposit of Flat 14b?"),
        (["How long are backups kept?", "And the termination charge?"], "What is the termination charge?"),
        (
            ["How much notice must the tenants give?", "And the landlord?"],
            "How much notice must the landlord give?",
        ),
        (["How much is the deposit in total?"], "How much is the deposit?"),
        (["When is the centre open?", "And the charge for shoes?"], "What is the charge for shoes?"),
        (["What is the rent?", "And the other one?"], "What is the rent? And the other one?"),
        (
            ["What was total net sales?", "What does Apple say about the EU?"],
            "What does Apple say about the EU?",
        ),
        (["What was total net sales?", "Who is Petra Lindqvist?"], "Who is Petra Lindqvist?"),
        (["Who keeps backups?", "And how many in Spain?"], "Who keeps backups? And how many in Spain?"),
        (
            ["What was the profit in 2023?", "And what was it in 2022?"],
            "What was the profit ? And what was it in 2022?",
        ),
    ],
)
def test_a_follow_up_borrows_what_it_leaves_out(asked: list[str], searched: str) -> None:
    assert Question.last_of(asked).text == searched


@pytest.mark.parametrize(
    "whole",
    [
        "And what is the cap on liability?",
        "But who pays the insurance?",
        "And for how long are backups kept?",
        "And is a deposit refundable?",
        "In which currency are fees paid?",
    ],
)
def test_a_follow_up_that_says_all_by_itself_is_searched_for_alone(whole: str) -> None:
    assert Question.last_of(["How much notice ends the agreement?", whole]).text == whole


@pytest.mark.parametrize(
    ("asked", "own"),
    [
        ("Who signs it?", ["sign"]),
        ("And what does it cost?", ["cost"]),
        ("And in 2022?", []),
        ("And Intel's?", []),
        ("And the other one?", []),
        ("Why?", []),
        ("And what is the cap on liability?", []),
    ],
)
def test_a_follow_up_has_words_of_its_own_beside_those_that_it_borrows(asked: str, own: list[str]) -> None:
    question = Question.last_of(["How much notice must Acme give to leave, before and after?", asked])
    assert list(question.own_words) == own
    searched = [values["query"] for name, values in first_searches(question) if name == "search_chunks"]
    assert (asked in searched) == bool(own) or question.text == asked


def test_a_whole_follow_up_keeps_whose_figures_are_asked_for() -> None:
    asked = ["What was Acme's revenue in 2023?", "And what was the operating margin?"]
    assert Question.last_of(asked).text == "And what was the operating margin Acme 2023"
    assert Question.last_of([*asked, "And what was the gross profit?"]).text == (
        "And what was the gross profit Acme 2023"
    )
    now = ["What was Acme's revenue in 2023?", "And what is the dividend policy?"]
    assert Question.last_of(now).text == "And what is the dividend policy Acme"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is Amazon’s dress code?", ["dress", "code"]),
        ("What is the name of Tarnbeck's bank?", ["bank"]),
        (
            "What were Intel's debt discount and issuance costs at October 30, 2022?",
            ["debt", "discount", "issuanc", "cost"],
        ),
        ("How did Apple's operating expenses compare to its revenue?", []),
        ("What is Acme's report about?", []),
        ("What is Acme's annual report?", []),
        ("What is Acme's modern slavery statement?", ["modern", "slaveri"]),
        ("What is it that's new?", []),
        ("What do we get if the delay is Tarnbeck's fault?", []),
        ("What do the customers' records hold?", []),
        ("What was the revenue of Hallowmere Foods in 2025?", ["revenu"]),
        ("What is the drawback of GraphRAG?", []),
    ],
)
def test_what_is_asked_of_somebody(question: str, asked: list[str]) -> None:
    assert list(possessed(question, figure=Kind(question).is_figure)) == asked
