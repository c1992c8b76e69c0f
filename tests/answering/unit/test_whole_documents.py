"""Questions that need whole documents: which they are, and what the model is given to answer them from."""

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from answering.values.events import StageStarted, ToolCalled
from answering.values.settings import Settings
from answering.whole.asking import Wanted, meant, wanted
from answering.whole.library import Library
from answering.whole.parts import parts_of, texts_of
from citations.checked import CheckedQuote
from citations.choices import OnPage, Support
from providers.openai.chat import OpenAIChat
from providers.openai.structured import OpenAIStructured
from providers.openai.tokens import estimated_tokens
from retrieval.evidence import Evidence
from retrieval.whole_documents import Readable
from tests.answering.agent import SCOPE, Seen, answer, make_tool, passage, runner
from tests.openai_server import ScriptedOpenAI, error_reply, text_reply, tools_reply

ASKED = "List all obligations of the Supplier."
PAGES = 40


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Summarise this contract.", Wanted.SUMMARY),
        ("Could you please give me a short summary of the Arden agreement?", Wanted.SUMMARY),
        ("What are the key points?", Wanted.SUMMARY),
        ("What is this paper about?", Wanted.SUMMARY),
        ("Fasse den Vertrag zusammen.", Wanted.SUMMARY),
        (ASKED, Wanted.LIST),
        ("What are the Supplier's obligations?", Wanted.LIST),
        ("Extract the deadlines from the lease", Wanted.LIST),
        ("Which obligations does the Supplier have?", Wanted.LIST),
        ("I need you to list every fee.", Wanted.LIST),
        ("Compare the two leases.", Wanted.COMPARISON),
        ("What are the differences between the two reports?", Wanted.COMPARISON),
        ("What is the notice period?", None),
        ("Does the Supplier delete all Customer Data at the end?", None),
        ("Who signs the summary of findings?", None),
        ("Does the summary mention a fine?", None),
        ("Is the outline agreed?", None),
        ("Which summary was sent to Ann?", None),
        ("Executive summary: who is the author?", None),
        ("Resume of Ann Lee: which degree has she?", None),
        ("What are the risks?", None),
        ("What are the late fees?", None),
        ("Which conditions apply to termination?", None),
        ("Tell me all about clause 12", None),
        ("A short summary of the lease", Wanted.SUMMARY),
        ("When is the next payment due?", None),
        ("How long are backups kept?", None),
        ("Is the Supplier obliged to keep a list of all sub-processors?", None),
    ],
)
def test_what_needs_whole_documents_is_told_by_its_form(question: str, kind: Wanted | None) -> None:
    assert wanted(question) == kind


@pytest.mark.parametrize(
    ("question", "titles", "found"),
    [
        (ASKED, ["Arden agreement.pdf", "Beacon lease.pdf"], [0, 1]),
        ("Summarise the Beacon lease", ["Arden agreement.pdf", "Beacon lease.pdf"], [1]),
        (
            "Compare the Arden agreement with the Beacon lease.",
            ["Arden agreement", "Beacon lease", "Cole deed", "Dale report"],
            [0, 1],
        ),
        ("Summarise the agreement", ["Arden agreement", "Beacon agreement", "Cole deed", "Dale report"], []),
        ("Summarise the notes", ["Notes.txt", "Arden agreement", "Beacon lease", "Cole deed"], [0]),
        (ASKED, [], []),
        ("Compare the Acme lease with the offer of Blue", ["Acme lease.pdf", "Scan 0042.pdf"], [0, 1]),
        ("Compare the agreements", ["Agreement.pdf", "Contract.pdf", "Deed.pdf", "Offer.pdf"], []),
        (
            "List all security obligations of the Supplier.",
            ["Supplier Security Questionnaire", "Arden agreement", "Beacon lease", "Cole deed"],
            [],
        ),
        ("Summarise Arden MSA", ["Arden MSA 2024 v3.pdf", "Beacon lease", "Cole deed", "Dale report"], [0]),
    ],
)
def test_documents_are_named_by_their_titles_or_few(
    question: str, titles: Sequence[str], found: Sequence[int]
) -> None:
    documents = [Readable(id=number, title=title, pages=1) for number, title in enumerate(titles)]
    assert [each.id for each in meant(question, documents)] == list(found)


def test_parts_have_each_sentence_once_and_what_is_chosen_is_letter_for_letter() -> None:
    one = "The Supplier shall keep backups. It is hot today. The Supplier shall report a breach."
    overlapping = "The Supplier shall report a breach. Nobody signs in red."
    passages = [
        passage(1, one, document_id=7, end=len(one)),
        passage(2, overlapping, document_id=7, start=50, end=50 + len(overlapping)),
    ]
    parts = parts_of(passages, 10_000)
    assert [part.written().count("report a breach") for part in parts] == [1]
    assert "[1] The Supplier shall keep backups." in parts[0].written()
    assert texts_of(parts, [[1, 3]]) == {
        1: "The Supplier shall keep backups. […] The Supplier shall report a breach."
    }
    assert texts_of(parts, [[1, 2]]) == {1: "The Supplier shall keep backups. It is hot today."}


def test_no_part_is_longer_than_it_may_be_or_has_two_documents() -> None:
    text = " ".join(f"Sentence number {n} is about the fee." for n in range(40))
    passages = [passage(n, text, document_id=n // 2, start=n * 2000, end=n * 2000 + 1600) for n in range(4)]
    parts = parts_of(passages, 120)
    assert max(part.tokens for part in parts) <= 120
    assert all(len({line.passage.document_id for line in part.lines}) == 1 for part in parts)
    assert sum(len(part.lines) for part in parts) == 160


# --- the whole path -----------------------------------------------------------------------------------------
class Shelf(Library):
    """One contract: a page has one duty of the Supplier and much else."""

    async def documents(self) -> Sequence[Readable]:
        return [Readable(id=7, title="Arden agreement.pdf", pages=PAGES)]

    async def characters(self, documents: Sequence[int]) -> int:
        return sum(len(each.text) for each in await self.passages(documents))

    async def passages(self, documents: Sequence[int]) -> Sequence[Evidence]:
        assert list(documents) == [7]
        return pages(PAGES)


class ShortShelf(Shelf):
    async def passages(self, documents: Sequence[int]) -> Sequence[Evidence]:
        return pages(3)


def thing(page: int) -> str:
    """Other letters for each: a list of the same thing looks like a model that goes round in circles."""
    return f"{'abcdefghij'[page // 10]}{'klmnopqrst'[page % 10]}ware"


def pages(count: int) -> list[Evidence]:
    filler = " ".join(f"The weather of day {n} was recorded by nobody in particular." for n in range(25))
    title = "Arden agreement.pdf"
    made, start = [], 0
    for page in range(1, count + 1):
        text = f"{filler} The Supplier shall deliver {thing(page)}. {filler}"
        made.append(
            passage(
                page,
                text,
                title,
                document_id=7,
                first_page=page,
                last_page=page,
                start=start,
                end=start + len(text),
                chunk_index=page,
            )
        )
        start += len(text)
    return made


def reply(request: dict[str, Any]) -> Any:
    """Chooses the sentences with duties, and lists what it is given."""
    if request.get("tools"):
        told = json.loads(next(m["content"] for m in request["messages"] if m["role"] == "tool"))
        duties = re.compile(r"The Supplier shall deliver (\w+)")
        found = [(each["key"], duty) for each in told["passages"] for duty in duties.finditer(each["text"])]
        lines = [f"- {duty[1]} /citation[{key}, {duty[0]}]" for key, duty in found]
        return tools_reply(("answer", {"found": "all", "answer": "\n".join(lines)}))
    part = request["messages"][-1]["content"]
    numbers = [int(number) for number, text in re.findall(r"\[(\d+)\] (.*)", part) if "shall deliver" in text]
    return text_reply(json.dumps({"sentences": numbers}))


def ask(library: Library, replies: Any = reply, question: str = ASKED, **options: Any) -> tuple[Seen, Any]:
    tools = runner(make_tool("search", lambda arguments: []))
    options = {"citations": [CheckedQuote(on_page=OnPage.EXACT, support=Support.SUPPORTED)]} | options
    with ScriptedOpenAI(replies) as server:
        model = OpenAIChat(base_url=server.base_url, api_key="k", model="m")
        helper = OpenAIStructured(server.base_url, "k", "m")
        seen = asyncio.run(answer(model, tools, question, library=library, helper=helper, **options))
        return seen, list(server.requests)


def notices(seen: Seen) -> dict[str, str]:
    return {notice.code: notice.text for notice in seen.work.notices}


def test_a_long_document_is_read_part_by_part_and_nothing_of_it_is_missed() -> None:
    seen, requests = ask(Shelf(scope=SCOPE), window=lambda: 16_000)
    writing = [request for request in requests if request.get("tools")]
    assert len(requests) - len(writing) > 3
    assert len(writing) == 1
    assert [tool["function"]["name"] for tool in writing[0]["tools"]] == ["answer"]
    assert seen.text.count("/citation[") == PAGES
    content = next(m["content"] for m in writing[0]["messages"] if m["role"] == "tool")
    assert "weather" not in content
    assert seen.of(ToolCalled) == []
    assert "end: Arden agreement.pdf (40 pages). The model chose" in notices(seen)["read_whole"]
    assert "sample" not in notices(seen)
    progress = [event.step.text for event in seen.of(StageStarted) if event.stage == "reading" and event.step]
    assert progress[0].startswith("0 of ")
    assert progress[-1].split(" of ")[0] == progress[-1].split(" of ")[1].split(" ")[0]


def test_a_short_document_is_given_to_the_model_whole_in_one_call() -> None:
    seen, requests = ask(ShortShelf(scope=SCOPE), window=lambda: 16_000)
    assert len(requests) == 1
    content = next(m["content"] for m in requests[0]["messages"] if m["role"] == "tool")
    assert content.count("was recorded by nobody") == 150
    assert seen.text.count("/citation[") == 3


def test_a_part_that_cannot_be_read_is_named_with_its_pages() -> None:
    failed = []

    def once(request: dict[str, Any]) -> Any:
        part = request["messages"][-1]["content"]
        if not request.get("tools") and f"deliver {thing(20)}." in part:
            failed.append(part)
            return error_reply(400, "no")
        return reply(request)

    seen, _requests = ask(Shelf(scope=SCOPE), once, window=lambda: 16_000)
    assert failed
    told = notices(seen)["not_read_whole"]
    assert re.fullmatch(r"Not read \(.+\): Arden agreement.pdf, pages \d+ to \d+\. What .+", told)
    assert 0 < seen.text.count("/citation[") < PAGES


def test_without_a_readable_part_the_documents_are_searched() -> None:
    def never(request: dict[str, Any]) -> Any:
        return (
            error_reply(400, "no") if not request.get("tools") else tools_reply(("answer", {"answer": "x"}))
        )

    seen, requests = ask(Shelf(scope=SCOPE), never, window=lambda: 16_000)
    assert "reading_skipped" in notices(seen)
    last = next(request for request in requests if request.get("tools"))
    assert [tool["function"]["name"] for tool in last["tools"]] == ["search", "answer"]


LENGTHY = "and shall, for as long as this Agreement runs, keep written records of each delivery, " * 6


NAMES = ("Arden", "Beacon", "Cole", "Dale")


class WordyShelf(Shelf):
    """As a lawyer writes it: six duties on a page, each of a hundred and thirty tokens."""

    async def passages(self, documents: Sequence[int]) -> Sequence[Evidence]:
        duties = "The Supplier shall deliver {}, {}numbered {}. The weather was recorded by nobody."
        return [
            replace(each, text=" ".join(duties.format(thing(each.chunk_id), LENGTHY, n) for n in range(6)))
            for each in pages(PAGES)
        ]


def passages_shown(request: dict[str, Any]) -> list[str]:
    content = json.loads(next(m["content"] for m in request["messages"] if m["role"] == "tool"))
    return [each["text"] for each in content["passages"]]


@pytest.mark.parametrize(("window", "most"), [(16_000, 16_000 - 4_000), (None, 10_000)])
def test_of_long_sentences_only_chosen_ones_are_left_and_they_fit(window: int | None, most: int) -> None:
    seen, requests = ask(WordyShelf(scope=SCOPE), window=lambda: window)
    writing = next(request for request in requests if request.get("tools"))
    told = next(m["content"] for m in writing["messages"] if m["role"] == "tool")
    assert most / 2 < estimated_tokens(told) <= most
    assert "weather" not in told
    assert re.search(r"about [\d,]+ units of text and [\d,]+ fit", notices(seen)["read_whole"])
    assert "too_long" not in notices(seen)


def test_a_model_that_takes_less_than_it_said_is_given_less_of_what_was_chosen() -> None:
    def refuses_once(request: dict[str, Any]) -> Any:
        told = json.dumps(request["messages"])
        if request.get("tools") and len(told) > 30_000:
            return error_reply(400, "maximum context length exceeded", code="context_length_exceeded")
        return reply(request)

    seen, requests = ask(WordyShelf(scope=SCOPE), refuses_once, window=lambda: None)
    shown = passages_shown([request for request in requests if request.get("tools")][-1])
    assert shown
    assert not [text for text in shown if "weather" in text]
    assert "too_long" in notices(seen)


def test_why_the_nearest_passages_are_searched_instead_is_said() -> None:
    class Four(Shelf):
        async def documents(self) -> Sequence[Readable]:
            return [Readable(id=n, title=f"{name} agreement", pages=1) for n, name in enumerate(NAMES)]

    def nothing(request: dict[str, Any]) -> Any:
        return only_answers(request) if request.get("tools") else text_reply('{"sentences": []}')

    seen, _requests = ask(Four(scope=SCOPE), only_answers, question="Summarise this contract.")
    assert "which ones it means is not clear" in notices(seen)["not_clear"]
    seen, _requests = ask(Shelf(scope=SCOPE), nothing, window=lambda: 16_000)
    assert "found no sentence that the answer needs" in notices(seen)["nothing_chosen"]


def test_parts_with_more_than_a_model_may_name_and_without_a_list_are_told() -> None:
    def all_but_a_page(request: dict[str, Any]) -> Any:
        if request.get("tools"):
            return reply(request)
        part = request["messages"][-1]["content"]
        if f"deliver {thing(20)}." in part:
            return text_reply("[[none]]", usage=(100_000, 1))
        return text_reply(json.dumps({"sentences": list(range(1, 9_000))}))

    seen, requests = ask(Shelf(scope=SCOPE), all_but_a_page, window=lambda: 16_000)
    assert "named as many as it may" in notices(seen)["read_whole"]
    assert "did not name sentences" in notices(seen)["not_read_whole"]
    assert seen.work.usage.prompt_tokens >= 100_000
    assert len(passages_shown(next(request for request in requests if request.get("tools")))) > 20


class LongShelf(Shelf):
    """A million words of one letter are no long text, but very many sentences."""

    async def passages(self, documents: Sequence[int]) -> Sequence[Evidence]:
        text = "A. B! " * 120_000
        return [passage(1, text, "Letters", document_id=7, end=len(text))]


def test_more_parts_than_are_read_are_not_begun() -> None:
    seen, requests = ask(LongShelf(scope=SCOPE), only_answers, window=lambda: 16_000)
    assert "too_large" in notices(seen)
    assert not [request for request in requests if "You read one part" in request["messages"][0]["content"]]


def only_answers(request: dict[str, Any]) -> Any:
    if request.get("tools"):
        return tools_reply(("answer", {"answer": "x"}))
    return text_reply(json.dumps({"question": "x", "intent": "factual"}))


@pytest.mark.parametrize(("limits", "told"), [({"tokens": 8_000}, True), ({"read_whole": False}, False)])
def test_what_costs_too_much_or_is_switched_off_is_searched_instead(
    limits: dict[str, Any], told: bool
) -> None:
    seen, _requests = ask(
        Shelf(scope=SCOPE), only_answers, window=lambda: 16_000, settings=Settings(**limits)
    )
    assert seen.work.rounds.number == 1
    assert ("too_large" in notices(seen)) == told
    assert "read_whole" not in notices(seen)


@pytest.mark.parametrize(
    "question", ["List all documents that mention “backup”.", "What is the notice period?"]
)
def test_words_that_are_counted_and_questions_of_fact_are_not_read_whole(question: str) -> None:
    seen, _requests = ask(Shelf(scope=SCOPE), only_answers, question=question)
    assert "read_whole" not in notices(seen)
