"""How well SVQ answers without a language model: the sample documents through the real product path.

Needs the embedded Postgres; works in a scratch database of its own, which it drops at the end.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import keyless_filings
from benchmarks.scratch import scratch
from providers.protocols import ChatModel, Message, Reply, TextDelta, ToolCallDelta, ToolSpec

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
LISTS = {  # constants may be chosen on the first, never on the second
    "development": ROOT / "benchmarks" / "keyless_questions.json",
    "held_out": ROOT / "benchmarks" / "keyless_held_out.json",
}
SHOWN = 3  # quotes of an answer


def run(*, fast: bool = False) -> dict[str, Any]:
    """Scores of both lists, and milliseconds a question.

    single: a quote holds one of the expected fragments. multi: all of them (full), or some (partial).
    none: the answer is a refusal. lost: where the right sentences of the other single questions were lost.
    """
    with scratch():
        return _measure(fast=fast)


def _measure(*, fast: bool) -> dict[str, Any]:
    user, datasource = read("Samples", sorted(SAMPLES.glob("*.pdf")))
    ask(user, datasource, {"question": "Are you ready?", "expect": []}, fast=fast)
    rows = [
        {"list": name, **question, **ask(user, datasource, question, fast=fast)}
        for name, path in LISTS.items()
        for question in json.loads(path.read_text(encoding="utf-8"))
    ]
    filings = keyless_filings.measure(read, partial(ask, fast=fast))
    graded = [{**row, "grade": _grade(row)} for row in rows]
    scores = {name: _scores([row for row in graded if row["list"] == name]) for name in LISTS}
    return {**scores, **filings, "questions": graded}


def read(name: str, paths: Sequence[Path]) -> tuple[Any, Any]:
    """An account and a datasource with these files, read to the end in this process."""
    from procrastinate.contrib.django import app

    from accounts.models import User
    from datasources.services import create_datasource
    from ingestion.adding.upload import accept_upload

    email = f"{name.lower()}@example.org"
    user = User.objects.create_user(email, "not used to sign in", name="Benchmark")
    datasource = create_datasource(user, name)
    for path in paths:
        with path.open("rb") as file:
            accept_upload(datasource, user, path.name, file)
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(wait=False, install_signal_handlers=False, listen_notify=False)
    unread = [str(document) for document in datasource.documents.all() if document.status != "ready"]
    if unread:
        raise RuntimeError(f"These documents could not be read: {', '.join(unread)}.")
    return user, datasource


def ask(
    user: Any,
    datasource: Any,
    question: dict[str, Any],
    *,
    fast: bool = False,
    documents: Sequence[int] | None = None,
) -> dict[str, Any]:
    """Through the whole path, in a conversation of its own. documents: ids; None searches all."""
    from answering.models import Models, answer_model
    from chat.models import Mode
    from chat.services import ask as ask_service
    from chat.turns.run import run_turn
    from providers.embedders import embedder

    mode = Mode.FAST if fast else Mode.AGENT
    turn = ask_service(
        user, datasource, question["question"], mode=mode, document_ids=documents, queued=False
    )
    model = Timed(answer_model())
    begun = time.perf_counter()
    asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    milliseconds = (time.perf_counter() - begun) * 1000
    turn.refresh_from_db()
    citations = list(turn.citations.all())
    return {
        "status": turn.status,
        "quotes": [" ".join(citation.quote.split()) for citation in citations],
        "documents": [citation.document_title for citation in citations],
        "on_page": [citation.on_page for citation in citations],
        "lost": _lost(model, question["expect"]),
        "model_milliseconds": round(model.seconds * 1000),
        "milliseconds": round(milliseconds),
    }


class Timed:
    """A chat model and the seconds that it took, without those of the tools."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.name, self.quotes_only, self.dialect = model.name, model.quotes_only, model.dialect
        self.plans_here = model.plans_here
        self.seconds = 0.0
        self.messages: Sequence[Message] = ()

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        begun = time.perf_counter()
        self.messages = tuple(messages)
        items = [item async for item in self.model.stream(messages, tools, tool_choice=tool_choice)]
        self.seconds += time.perf_counter() - begun
        for item in items:
            yield item


def _lost(model: Timed, expected: Sequence[str]) -> str:
    """The first step after which no expected sentence was there any more."""
    from answering.extractive.model import QuotesModel, quotable
    from answering.extractive.searches import read

    if not isinstance(model.model, QuotesModel):
        return ""
    talk = read(model.messages)
    if not any(_holds(one.text, expected) for one in talk.passages):
        return "not_found_by_the_searches"
    found = quotable(talk)
    if not any(_holds(one.text, expected) for one in found):
        return "cut_in_two"
    ranking = model.model.ranked(talk, found)[0]
    if not any(_holds(one.text, expected) for one in ranking):
        return "not_looked_at"
    if not any(_holds(one.text, expected) for one in ranking[:SHOWN]):
        return "outranked"
    return "refused_or_left_out"


def _holds(text: str, expected: Sequence[str]) -> bool:
    return any(" ".join(part.split()) in " ".join(text.split()) for part in expected)


def _grade(row: dict[str, Any]) -> str:
    """hit, partial or miss."""
    if row["kind"] == "none":
        return "hit" if row["status"] == "not_found" else "miss"
    found = [any(_holds(quote, [part]) for quote in row["quotes"]) for part in row["expect"]]
    if all(found) or (row["kind"] == "single" and any(found)):
        return "hit"
    return "partial" if any(found) else "miss"


def _scores(rows: list[dict[str, Any]]) -> dict[str, Any]:
    def count(kind: str, *grades: str) -> str:
        graded = [row["grade"] for row in rows if row["kind"] == kind]
        return f"{sum(grade in grades for grade in graded)}/{len(graded)}"

    answered = [row for row in rows if row["quotes"]]
    right = [_holds(quote, row["expect"]) for row in answered for quote in row["quotes"]]
    lost = Counter(row["lost"] for row in rows if row["kind"] == "single" and row["grade"] == "miss")
    times = sorted(row["milliseconds"] for row in rows)
    model_times = sorted(row["model_milliseconds"] for row in rows)
    places = [place for row in answered for place in row["on_page"]]
    return {
        "single": count("single", "hit"),
        "multi_full": count("multi", "hit"),
        "multi_full_or_partial": count("multi", "hit", "partial"),
        "none_refused": count("none", "hit"),
        "quotes_per_answer": round(len(places) / max(1, len(answered)), 2),
        "quotes_right": f"{sum(right)}/{len(right)}",
        "quotes_on_the_page": f"{len(places) - places.count('absent')}/{len(places)}",
        "model_milliseconds_median": model_times[len(model_times) // 2],
        "milliseconds_median": times[len(times) // 2],
        "milliseconds_slowest": times[-1],
        "lost": dict(lost),
    }


if __name__ == "__main__":
    report = run()
    for row in report.pop("questions"):
        print(f"{row['grade']:8}{row['list']:12}{row['id']:11}{row['milliseconds']:6} ms  {row['question']}")
    print(json.dumps(report, indent=2))
