"""The stages around search and answer: what each makes of a turn, and what becomes of it when one fails."""

import json
import time
from collections.abc import Mapping
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from django.utils.translation import override

from answering.question.intent import Intent, by_form, by_keywords
from answering.question.own_words import greeting_reply
from answering.shortening.compression import compressed
from answering.stages.answering import MOST_TAGS
from answering.stages.counting import counted_words
from answering.stages.listing import asks_for_documents
from answering.tools.passages import read
from answering.values.events import QuestionUnderstood, StageSkipped, StageStarted, ToolCalled, ToolReturned
from answering.values.outcome import Outcome
from answering.values.settings import Settings
from citations.checked import CheckedQuote
from citations.choices import OnPage, Support
from localization.stored import told
from providers.openai.chat import OpenAIChat
from providers.openai.structured import OpenAIStructured
from providers.openai.tokens import estimated_tokens
from providers.protocols import Message, ProviderError
from providers.spending.metering import Payer
from retrieval.evidence import Fact
from retrieval.legs.mentions import Mentioned, Mentions
from retrieval.tools.list_mentions import in_words
from retrieval.tools.tool import Note
from tests.answering.agent import Seen, answer_now, make_tool, passage, query, runner
from tests.openai_server import ScriptedOpenAI, ScriptedReply, error_reply, text_reply, tools_reply

SUPPORTING = CheckedQuote(on_page=OnPage.EXACT, support=Support.SUPPORTED)
HISTORY = [
    Message(role="user", content="What is the notice period in the Arden agreement?"),
    Message(role="assistant", content="Sixty days."),
]


def answered(text: str = "x", found: str = "all", **more: str) -> Any:
    return tools_reply(("answer", {"found": found, **more, "answer": text}))


def search(words: str) -> Any:
    return tools_reply(("search", {"query": words}))


def understood(question: str, intent: str = "factual", **options: Any) -> Any:
    return text_reply(json.dumps({"question": question, "intent": intent}), **options)


def found(arguments: Mapping[str, Any]) -> list[Any]:
    return [passage(len(str(query(arguments))), f"About {query(arguments)}.")]


def answer(*replies: Any, find: Any = found, helped: bool = False, **options: Any) -> tuple[Seen, list[Any]]:
    """Run the agent over scripted replies; what it did, and the requests that the server saw."""
    tools = runner(make_tool("search", find), *options.pop("tools", ()))
    with ScriptedOpenAI(list(replies)) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="m")
        helper = OpenAIStructured(server.base_url, "k", "m") if helped else None
        options = {"citations": [SUPPORTING], "helper": helper} | options
        return answer_now(model, tools, **options), list(server.requests)


def results(request: dict[str, Any]) -> list[str]:
    return [message["content"] for message in request["messages"] if message["role"] == "tool"]


def asked(request: dict[str, Any]) -> str:
    """The question as the model reads it."""
    content: str = [each["content"] for each in request["messages"] if each["role"] == "user"][-1]
    return content


def notices(seen: Seen) -> dict[str, str]:
    return {notice.code: notice.text for notice in seen.work.notices}


def offered(request: dict[str, Any]) -> list[str]:
    return [tool["function"]["name"] for tool in request["tools"]]


# --- rephrase ----------------------------------------------------------------------------------------------
def test_a_follow_up_is_put_in_full_and_the_trace_shows_it() -> None:
    full = "What is the notice period in the Beacon agreement?"
    seen, requests = answer(
        understood(full), answered(), history=HISTORY, question="And the other one?", helped=True
    )
    assert seen.work.question == full
    assert seen.of(QuestionUnderstood)[0].step.text == full
    asked = requests[1]["messages"][-1]["content"]
    assert asked.startswith("And the other one?")
    assert full in asked


def test_the_trace_shows_what_is_asked_of_every_answer() -> None:
    wish = "Answer in one sentence, for a lawyer."
    seen, requests = answer(search("x"), answered(), instructions=wish)
    assert wish in asked(requests[0])
    (line,) = [event.step for event in seen.of(StageStarted) if event.stage == "instructions"]
    assert (line.label, line.text) == ("Instructions", wish)
    without, _ = answer(search("x"), answered())
    assert not [event for event in without.of(StageStarted) if event.stage == "instructions"]


def test_a_first_question_is_not_rephrased() -> None:
    seen, requests = answer(answered(), question="How long is the notice?", helped=True)
    assert len(requests) == 1
    assert seen.work.question == "How long is the notice?"


@pytest.mark.parametrize(
    "reply", [error_reply(500), text_reply("Certainly!"), text_reply('{"question": "", "intent": "factual"}')]
)
def test_without_a_rephrased_question_the_one_before_lends_its_words(reply: Any) -> None:
    seen, _ = answer(reply, answered(), history=HISTORY, question="And in the Beacon agreement?", helped=True)
    assert seen.text == "x"
    assert "notice period" in seen.work.question
    assert "Beacon" in seen.work.question
    assert "Arden" not in seen.work.question
    assert "was not rephrased" in notices(seen)["rephrasing_skipped"]
    assert [event.stage for event in seen.of(StageSkipped)] == ["rephrasing"]


def test_a_slow_helper_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("answering.stages.rephrasing.Rephrasing.time_limit", 0.2)
    seen, _ = answer(
        understood("x", delay=5, when='"conversation'),
        answered(),
        history=HISTORY,
        question="Why?",
        helped=True,
    )
    assert (seen.text, seen.of(StageSkipped)[0].code) == ("x", "too_slow")


def test_rephrasing_can_be_switched_off() -> None:
    seen, requests = answer(
        answered(),
        history=HISTORY,
        question="Who may end it?",
        helped=True,
        settings=Settings(rephrase=False),
    )
    assert (len(requests), seen.work.question) == (1, "Who may end it?")


# --- type of question --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("How many documents mention penguins?", Intent.AGGREGATION),
        ("How many employees does Arden have?", Intent.FACTUAL),
        ("List all suppliers.", Intent.AGGREGATION),
        ("Which contracts mention a cap on liability?", Intent.AGGREGATION),
        ("Compare the notice periods of both agreements", Intent.COMPARISON),
        ("What is the difference between clause 3 and clause 4?", Intent.COMPARISON),
        ("Was ist der Unterschied zwischen beiden Verträgen?", Intent.COMPARISON),
        ("Should we sign this?", Intent.OPINION),
        ("When does the lease end?", Intent.TEMPORAL),
        ("How has revenue changed since 2019?", Intent.TEMPORAL),
        ("How do I file a claim?", Intent.PROCEDURAL),
        ("Why did sales fall?", Intent.EXPLANATION),
        ("What does “force majeure” mean here?", Intent.EXPLANATION),
        ("What do you mean?", Intent.CLARIFICATION),
        ("Who signed the lease?", Intent.FACTUAL),
        ("Hello!", Intent.CHITCHAT),
        ("Tell me a joke", Intent.OUT_OF_SCOPE),
    ],
)
def test_the_form_of_a_question_tells_its_type(question: str, intent: Intent) -> None:
    assert by_form(question) == intent


@pytest.mark.parametrize(
    "question", ["What is the term of the Arden agreement?", "how many " * 400, "x " * 2000]
)
def test_the_form_of_a_question_is_told_in_less_than_ten_milliseconds(question: str) -> None:
    begun = time.thread_time()  # of this thread alone, whatever else the machine does
    by_form(question)
    by_keywords(question)
    assert time.thread_time() - begun < 0.01


def test_what_varies_comes_after_what_a_server_can_keep() -> None:
    """Within a turn and between turns, whatever language, type, instructions and rounds there are."""
    wish = "Answer in one sentence, for a lawyer."
    _, first = answer(search("a"), answered(), question="Why did sales fall?", instructions=wish)
    _, second = answer(search("b"), answered(), question="Was kostet die Miete im Jahr?", rounds=3)
    begins = [json.dumps([request["messages"][0], request["tools"]]) for request in (*first, *second)]
    assert len(set(begins)) == 1
    for requests in (first, second):
        assert requests[1]["messages"][: len(requests[0]["messages"])] == requests[0]["messages"]


@pytest.mark.parametrize(
    "question",
    [
        "Within how many days must the Supplier delete all Customer Data?",
        "Delete all Customer Data",
        "Who pays all costs of the audit?",
        "Does the cap apply to every claim?",
    ],
)
def test_all_and_every_ask_for_no_list_where_they_say_what_happens(question: str) -> None:
    assert by_form(question) != Intent.AGGREGATION
    assert by_keywords(question) != Intent.AGGREGATION


@pytest.mark.parametrize(
    "question",
    [
        "Thanks, that helps!",
        "Thank you!",
        "Great, thanks for your help.",
        "ok thanks",
        "Perfect.",
        "Got it.",
        "That was very helpful",
        "Thanks a lot, that's all for now.",
    ],
)
def test_thanks_cost_no_call(question: str) -> None:
    seen, requests = answer(question=question)
    assert greeting_reply(question)
    assert (seen.written.greeted, requests) == (True, [])


@pytest.mark.parametrize(
    "question",
    [
        "Thanks, and what about the rent?",
        "Ok, who signed it?",
        "Great Britain",
        f"ok{' ' * 200_000}x",  # not looked at: patterns would take hours
    ],
)
def test_a_question_behind_thanks_is_one(question: str) -> None:
    assert greeting_reply(question) == ""


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which documents do you have?", True),
        ("what files are there", True),
        ("List all documents.", True),
        ("How many documents do you have?", True),
        ("Which documents mention a cap?", False),
        ("Which documents do you have to sign?", False),
        ("What documents must the Supplier provide?", False),
    ],
)
def test_the_list_of_documents_is_asked_for(question: str, asks: bool) -> None:
    assert asks_for_documents(question) == asks


def test_pages_that_are_read_are_not_left_out_for_what_is_nearer() -> None:
    pages = [passage(n, f"Clause {n} speaks of gardens.", document_id=7) for n in range(1, 31)]
    reads = make_tool("read_page", lambda _: pages, reads_whole=True)
    find = make_tool("search", lambda _: [passage(100 + n, f"Rent {n} is due.") for n in range(20)])
    asked = [tools_reply(("search", {"query": "rent"}), ("read_page", {"page": 4})), answered()]
    with ScriptedOpenAI(asked) as server:
        model = OpenAIChat(server.base_url, "k", "m")
        answer_now(model, runner(reads, find), "What is the rent?")
    results = [message["content"] for message in server.requests[1]["messages"] if message["role"] == "tool"]
    assert all(f"Clause {n} speaks of gardens." in results[1] for n in range(1, 31))
    assert 0 < results[0].count("is due") <= 15


def test_words_tell_where_the_form_does_not() -> None:
    assert by_form("Arden termination fee amount") is None
    assert by_keywords("Arden termination fee amount") == Intent.FACTUAL
    assert by_keywords("Arden Beacon") is None


def test_the_model_tells_where_neither_does() -> None:
    seen, requests = answer(understood("x", "explanation"), answered(), question="Arden exit", helped=True)
    assert seen.work.intent == Intent.EXPLANATION
    assert "Explain in two to five sentences" in asked(requests[1])


def test_the_type_changes_how_the_answer_is_written_and_no_search() -> None:
    _, requests = answer(search("x"), answered(), question="Compare the two leases")
    assert "Markdown table" in asked(requests[0])
    assert offered(requests[0]) == ["search", "answer"]


def test_the_language_of_the_question_is_named() -> None:
    _, requests = answer(answered(), question="Wie lang ist die Frist für die Kündigung und von wem ist sie?")
    assert "in German" in asked(requests[0])


@pytest.mark.parametrize("said", ["Hello!", "hi there", "Thanks a lot", "Guten Tag", "Merci !", "¡Hola!"])
def test_a_greeting_is_answered_without_search(said: str) -> None:
    seen, requests = answer(question=said, citations=[])
    assert requests == []
    assert seen.text == greeting_reply(said)
    assert seen.work.outcome == Outcome.ANSWERED


def test_thanks_in_the_midst_of_a_conversation_cost_no_request() -> None:
    seen, requests = answer(question="Thank you!", citations=[], history=HISTORY, helped=True)
    assert requests == []
    assert seen.text == greeting_reply("Thank you!")


def test_a_greeting_with_a_question_is_a_question() -> None:
    assert greeting_reply("Hello, how long is the notice period?") == ""


# --- counts ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many documents mention penguins?", "penguins"),
        ("Which contracts mention force majeure in 2023?", "force majeure"),
        ("List all passages that refer to the Beacon agreement", "Beacon agreement"),
        ("How often does the word “notice” occur?", "notice"),
        ("How many occurrences of Harbour Lights are there?", "Harbour Lights"),
        ("Which documents mention the Bank of England in 2023?", "Bank of England"),
        ("Which documents mention this Agreement?", "Agreement"),
        ("How many contracts refer to such Losses?", "Losses"),
        ("Which documents mention this?", ""),
        ("Which documents mention this clause?", ""),
        ("List all suppliers.", ""),
        ("How many times was the agreement amended?", ""),
        ("List all included services", ""),
        ("List all discussed topics", ""),
        ("How many users are there?", ""),
        ("How many use cases are described?", ""),
        ("Which agreement names are listed?", ""),
        ("List all of Arden's and Beacon's fees", ""),
        ("List all suppliers of “Arden”", ""),
        ("Which documents mention Arden or Beacon?", ""),
        ("Which documents mention who signed?", ""),
        ("Arden Beacon", ""),
    ],
)
def test_what_is_to_be_counted(question: str, words: str) -> None:
    assert counted_words(question) == words


def counting(total: str = "", *, text: str = "", hits: int = 1) -> Any:
    def counted(scope: Any, embedder: Any, arguments: Any) -> tuple[list[Any], Note]:
        return found(arguments.model_dump())[:hits], Note(text=text or total, counted=total)

    return make_tool("list_mentions", found, with_note=counted)


PENGUINS = "How many documents mention penguins?"
TOTAL = "“penguins” occurs at 4 places, in 3 passages of 2 documents."


def test_a_question_for_a_count_gets_the_total_of_a_complete_scan() -> None:
    seen, requests = answer(answered(), question=PENGUINS, tools=[counting(TOTAL)])
    assert notices(seen) == {"counted": f"Counted in every passage: {TOTAL}"}
    assert [event.tool for event in seen.of(ToolCalled)] == ["list_mentions"]
    assert TOTAL in results(requests[0])[0]  # so that the answer can say no other number


def test_a_total_is_told_in_the_readers_language() -> None:
    found = Mentions(words="rent", documents=[_mentioned("Lease", 2), _mentioned("Letter", 1)])
    total = in_words(found)
    assert total == (
        "“rent” occurs at 3 places, in 2 passages of 2 documents. "
        "Places by document: Lease (2) and Letter (1)."
    )
    seen, _ = answer(answered(), question=PENGUINS, tools=[counting(total)])
    (notice,) = seen.work.notices
    with override("de"):
        assert told(notice.text, notice.words) == (
            "In jeder Textstelle gezählt: „rent“ kommt an 3 Stellen vor, in 2 Textstellen aus 2 Dokumenten. "
            "Stellen je Dokument: Lease (2) und Letter (1)."
        )


def _mentioned(title: str, places: int) -> Mentioned:
    return Mentioned(document_id=1, title=title, passages=1, places=places, chunk_id=1, page=1)


def test_words_that_stand_nowhere_are_said_beside_what_is_still_a_sample() -> None:
    nowhere = counting("no passage has the words “penguins”.", hits=0)
    seen, _ = answer(search("birds"), answered(), question=PENGUINS, tools=[nowhere])
    assert "no passage has" in notices(seen)["counted"]
    assert "This is a sample" in notices(seen)["sample"]


@pytest.mark.parametrize(
    ("said", "quote", "is_stated"),
    [
        ("There are three incidents in 2025: A", "On 3 March 2025 an index slowed queries.", False),
        ("Nine sites", "Waypoint is live at nine Sites.", True),
        ("Under clause 4.1, 9 sites", "Waypoint is live at nine Sites.", True),
        ("Several sites", "Waypoint is live at some Sites.", True),
    ],
)
def test_a_number_that_no_quote_states_was_counted_by_the_model(
    said: str, quote: str, is_stated: bool
) -> None:
    cited = [CheckedQuote(n=1, on_page=OnPage.EXACT, support=Support.SUPPORTED, quote=quote)]
    text = f"{said} /citation[c1, {quote}]."
    seen, _ = answer(search("sites"), answered(text), question="How many sites are there?", citations=cited)
    assert ("not every passage" in notices(seen).get("sample", "")) is not is_stated


def test_what_was_not_counted_is_no_count() -> None:
    busy = counting(text="Not counted: search for the words instead.")
    seen, requests = answer(search("penguins"), answered(), question=PENGUINS, tools=[busy])
    assert list(notices(seen)) == ["sample"]
    assert "took too long" in notices(seen)["sample"]
    assert results(requests[0]) == []


def test_a_list_that_nobody_counted_is_called_a_sample() -> None:
    seen, _ = answer(search("suppliers"), answered(), question="List all suppliers.")
    assert "This is a sample" in notices(seen)["sample"]


def test_a_list_for_which_the_model_counted_is_none() -> None:
    calls = tools_reply(("list_mentions", {"words": "supplier"}))
    seen, _ = answer(calls, answered(), question="List all suppliers.", tools=[counting("All.")])
    assert notices(seen) == {}
    seen, _ = answer(calls, answered(), question="List all suppliers.", tools=[counting(text="Too slow.")])
    assert list(notices(seen)) == ["sample"]


# --- passages ----------------------------------------------------------------------------------------------
def test_the_best_passages_of_all_searches_are_shown_and_no_more() -> None:
    def many(arguments: Mapping[str, Any]) -> list[Any]:
        first = 100 * len(query(arguments))
        return [passage(first + n, f"Nothing about it, number {first + n}.") for n in range(9)] + [
            passage(first + 9, f"The notice period of {query(arguments)} is sixty days.")
        ]

    calls = tools_reply(*[("search", {"query": "x" * n}) for n in (1, 2, 3)])
    seen, requests = answer(
        calls,
        answered(),
        find=many,
        question="How long is the notice period?",
        settings=Settings(passages=6),
    )
    told = [each for content in results(requests[1]) for each in read(content)]
    assert len(told) == 6
    assert sum("sixty days" in each.text for each in told) == 3
    assert [json.loads(content)["left_out"] for content in results(requests[1])] == [8, 8, 8]
    (step,) = [event.step for event in seen.of(StageStarted) if event.stage == "ranking"]
    assert step.found == "6 of 30"


def test_the_default_is_fifteen_passages() -> None:
    def many(arguments: Mapping[str, Any]) -> list[Any]:
        return [passage(n, f"Passage {n}.") for n in range(25)]

    _, requests = answer(search("x"), answered(), find=many)
    assert len(read(results(requests[1])[0])) == 15


def test_a_call_that_repeats_another_is_noticed_and_not_run() -> None:
    ran = []

    def counted(arguments: Mapping[str, Any]) -> list[Any]:
        ran.append(query(arguments))
        return found(arguments)

    seen, requests = answer(search("rent"), search("rent"), answered(), find=counted)
    assert ran == ["rent"]
    assert "this same call before" in results(requests[2])[1]
    assert seen.of(ToolReturned)[1].step.state == "w"


def test_a_reply_with_calls_without_number_does_not_hold_all_searches_up() -> None:
    calls = tools_reply(*[("search", {"query": str(n)}) for n in range(100)])
    seen, requests = answer(calls, answered())
    assert len(seen.of(ToolReturned)) == len(results(requests[1])) == 16
    said = next(message for message in requests[1]["messages"] if message.get("tool_calls"))
    assert len(said["tool_calls"]) == 16


def test_facts_of_the_graph_reach_the_model_with_their_passages() -> None:
    def facts(arguments: Mapping[str, Any]) -> list[Any]:
        return [passage(1, "Arden rents.", facts=(Fact(entity="Arden", said="a company that rents"),))]

    _, requests = answer(search("x"), answered(), find=facts)
    assert list(read(results(requests[1])[0])[0].facts) == ["Arden: a company that rents"]


LONG = " ".join(
    f"Sentence number {n} speaks of something else altogether, at some length." for n in range(60)
)


def test_long_passages_are_shortened_by_whole_sentences() -> None:
    key = "The notice period of this agreement is sixty days."
    texts = [f"{LONG} {key} {LONG}", LONG]
    short = compressed(
        [passage(n, text) for n, text in enumerate(texts)], "How long is the notice period?", 300
    )
    assert key in short[0]
    assert sum(map(estimated_tokens, short.values())) <= 320
    for number, text in short.items():
        for piece in filter(None, (piece.strip() for piece in text.split("[…]"))):
            assert piece in texts[number]


def test_what_is_left_out_is_said() -> None:
    def long(arguments: Mapping[str, Any]) -> list[Any]:
        return [passage(n, f"{LONG} Rent {n} is due.") for n in range(9)]

    seen, requests = answer(search("rent"), answered(), find=long)
    assert estimated_tokens(results(requests[1])[0]) < 5200
    (step,) = [event.step for event in seen.of(StageStarted) if event.stage == "compressing"]
    assert "left out" in step.text


def test_a_question_that_is_too_long_for_the_model_is_asked_with_less() -> None:
    def long(arguments: Mapping[str, Any]) -> list[Any]:
        return [passage(n, f"{LONG} Rent {n} is due.") for n in range(3)]

    refused = error_reply(
        400, "This model's maximum context length is 4096 tokens.", code="context_length_exceeded"
    )
    seen, requests = answer(search("rent"), *[refused] * 4, answered(), find=long, history=HISTORY)
    assert seen.text == "x"
    # Each is sent twice: the room for the reply may be what was too much.
    lengths = [len(json.dumps(request["messages"])) for request in requests[1::2]]
    assert lengths[0] > lengths[1] > lengths[2]
    assert "longer than the model reads" in notices(seen)["too_long"]


# --- enough? -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("found_first", ["none", "some"])
def test_what_is_not_enough_is_searched_for_once_more(found_first: str) -> None:
    seen, requests = answer(
        search("rent"),
        answered("Poor.", found_first, missing="the deposit"),
        search("deposit"),
        answered("Rich."),
    )
    assert all("Poor" not in text for text in seen.texts)
    assert (seen.text, seen.work.outcome) == ("Rich.", Outcome.ANSWERED)
    assert "the deposit" in requests[2]["messages"][-1]["content"]
    assert offered(requests[2]) == ["search"]
    assert [event.step.text for event in seen.of(StageStarted) if event.stage == "correcting"] == [
        "Missing: the deposit"
    ]


def test_the_other_search_is_made_once() -> None:
    seen, requests = answer(
        answered("a", "some"), search("deposit"), answered("b", "some", missing="the deposit")
    )
    assert len(requests) == 3
    assert (seen.text, seen.work.outcome, seen.written.missing) == ("b", Outcome.PARTIAL, "the deposit")


def test_a_poor_answer_is_given_when_the_other_search_brings_less() -> None:
    seen, _ = answer(answered("Poor.", "some"), search("deposit"), answered("", "none"))
    assert (seen.text, seen.work.outcome) == ("Poor.", Outcome.PARTIAL)


def test_a_poor_answer_is_given_when_the_server_fails_meanwhile() -> None:
    seen, _ = answer(answered("Poor.", "some"), error_reply(500))
    assert (seen.text, seen.work.outcome) == ("Poor.", Outcome.PARTIAL)
    assert "not repeated" in notices(seen)["correcting_skipped"]


@pytest.mark.parametrize(
    "broken",
    [
        tools_reply(("answer", "[1")),
        tools_reply(("answer", {"found": "all", "answer": "Rich, " * 20}), drop_after=8),
    ],
)
def test_a_poor_answer_is_given_when_the_other_one_breaks_off(broken: Any) -> None:
    seen, _ = answer(answered("Poor.", "some"), search("deposit"), broken)
    assert all("Rich" not in text for text in seen.texts)
    assert (seen.text, seen.work.outcome) == ("Poor.", Outcome.PARTIAL)
    assert "not repeated" in notices(seen)["correcting_skipped"]


def test_searching_again_can_be_switched_off() -> None:
    seen, requests = answer(answered("Poor.", "some"), settings=Settings(correct=False))
    assert (len(requests), seen.text) == (1, "Poor.")


# --- limits ------------------------------------------------------------------------------------------------
def test_a_turn_that_has_spent_its_tokens_answers_with_what_it_has() -> None:
    seen, requests = answer(search("a"), answered(), settings=Settings(tokens=10))
    assert offered(requests[1]) == ["answer"]
    assert "a question may take 10" in notices(seen)["tokens_spent"]


def test_a_turn_that_has_spent_its_time_searches_once_and_answers_with_what_it_has() -> None:
    begun = time.monotonic() - 40
    seen, requests = answer(search("a"), answered(), begun=begun, settings=Settings(seconds=60))
    assert [offered(request) for request in requests] == [["search", "answer"], ["answer"]]
    assert "seconds_spent" in notices(seen)


def test_a_turn_that_has_spent_its_money_answers_with_what_it_has() -> None:
    payer = Payer(money=Decimal("0.25"))
    seen, requests = answer(search("a"), answered(), payer=payer, settings=Settings(money=0.2))
    assert offered(requests[1]) == ["answer"]
    assert "a cost of 0.2500: a question may cost 0.2" in notices(seen)["money_spent"]


def test_an_answer_that_has_begun_is_written_to_its_end_when_the_time_is_up() -> None:
    """A slow local model may take longer than the question may."""
    slow = tools_reply(("answer", {"found": "all", "answer": "Sixty days. " * 20}), delay=0.08)
    begun = time.monotonic() - 58
    seen, _ = answer(slow, begun=begun, settings=Settings(seconds=60), helped=False)
    assert time.monotonic() - begun > 60
    assert seen.text.strip() == ("Sixty days. " * 20).strip()
    assert notices(seen) == {}


def test_a_reply_that_the_server_cuts_is_an_answer_in_part() -> None:
    def ends(text: str, finish: str | None) -> Any:
        call = {"index": 0, "id": "a", "function": {"name": "answer", "arguments": text}}
        choice = {"index": 0, "delta": {"tool_calls": [call]} if text else {}, "finish_reason": finish}
        return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    begun = '{"found": "all", "answer": "Sixty days, and'
    seen, _ = answer(ScriptedReply(chunks=[ends(begun, None), ends("", "length")]))
    assert seen.text == "Sixty days, and …"
    assert "length" in notices(seen)["cut_off"]


def test_what_a_model_takes_in_is_not_overrun() -> None:
    long = " ".join(f"Sentence {n} speaks of leases and rents." for n in range(800))
    seen, requests = answer(
        search("leases"),
        answered("Sixty days."),
        find=lambda _: [passage(1, long)],
        window=lambda: 4096,
        settings=Settings(context_tokens=8000),
    )
    assert estimated_tokens(json.dumps(requests[-1])) < 4096
    assert "Sentence" in results(requests[-1])[0]
    assert "the 4,096 units of text that the model reads at once" in notices(seen)["too_long"]
    assert seen.text == "Sixty days."


def test_what_a_model_takes_in_says_nothing_where_all_fits() -> None:
    seen, _ = answer(search("a"), answered(), window=lambda: 8192)
    assert "too_long" not in notices(seen)


def test_a_window_too_small_for_the_prompt_leaves_room_for_passages() -> None:
    seen, _ = answer(search("a"), answered("Sixty days."), window=lambda: 100)
    assert seen.work.passages.tokens == Settings().context_tokens
    assert seen.text == "Sixty days."


def test_a_question_that_names_what_it_is_about_costs_no_request() -> None:
    seen, requests = answer(
        answered(),
        history=HISTORY,
        question="What notice must the Customer give under the Beacon lease?",
        helped=True,
    )
    assert len(requests) == 1
    assert seen.of(StageSkipped) == []


def test_an_answer_that_takes_longer_than_its_server_is_given_is_one_in_part() -> None:
    half = "Sixty days' notice ends it. The fee is a matter that is still to be"
    arguments = json.dumps({"found": "all", "answer": half})[:-1]
    pieces = [arguments[at : at + 12] for at in range(0, len(arguments), 12)]
    first = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "answer", "arguments": ""}}]}
    deltas = [first, *({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces)]

    def reply(request: dict[str, Any]) -> Any:
        return ScriptedReply(deltas=[*deltas, *({} for _ in range(200))], delay=0.01)

    with ScriptedOpenAI(reply) as server:
        model = OpenAIChat(server.base_url, "k", "m", timeout=1.0)
        seen = answer_now(model, runner(make_tool("search", found)), citations=[SUPPORTING])
    assert seen.text.startswith("Sixty days' notice ends it.")
    assert seen.work.outcome == Outcome.PARTIAL
    assert "took longer than its server is given" in notices(seen)["stalled"]


def test_an_answer_whose_connection_breaks_in_the_middle_of_a_word_is_one_in_part() -> None:
    half = "Sixty days' notice ends it. /citation[c1, About a]. The fee is a mat"
    cut = tools_reply(("answer", {"found": "all", "answer": half + "ter of /citation[c1, Abo"}), drop_after=9)
    seen, _ = answer(search("a"), cut)
    assert seen.text.startswith("Sixty days' notice ends it.")
    assert seen.text.endswith(" …")
    assert "/citation[" not in seen.text.rpartition("]")[2]
    assert seen.work.outcome == Outcome.PARTIAL
    assert "connection to the model server broke" in notices(seen)["broken_off"]


def test_an_answer_without_end_is_ended_and_says_so() -> None:
    named = ["rent", "days", "lease", "term", "page", "fine", "due"]
    words = [" ".join(few) for few in permutations(named, 4)]
    endless = "".join(f"It ends in {word} /citation[c1, About a].\n" for word in words[:400])
    seen, _ = answer(search("a"), answered(endless))
    assert seen.text.count("/citation[") == MOST_TAGS
    assert seen.work.outcome == Outcome.PARTIAL
    assert "longer than can be checked" in notices(seen)["too_much"]


def test_a_connection_that_breaks_before_the_answer_is_worth_another_try() -> None:
    cut = tools_reply(("search", {"query": "leases and rents of the harbour"}), drop_after=3)
    with pytest.raises(ProviderError) as broken:
        answer(cut)
    assert broken.value.transient


def test_a_model_that_only_talks_is_told_to_search() -> None:
    seen, requests = answer(
        text_reply("I think that it is sixty days."), search("notice"), answered("Sixty.")
    )
    assert all("I think" not in text for text in seen.texts)
    assert seen.text == "Sixty."
    assert "without looking into the documents" in requests[1]["messages"][-1]["content"]
