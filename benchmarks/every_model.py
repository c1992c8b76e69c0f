"""What becomes of an answer with models of every kind, against no model at all on the same questions.

Scripted models that behave or misbehave in one way each; and, if SVQ_BENCH_MODEL names a server of the
OpenAI protocol ("http://127.0.0.1:8199/v1"), a real one, tested first as the page Connect does. It is asked
about the samples and, if SVQ_BENCH_DATA names the public collection, about two quarterly reports.
"""

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks import keyless, scripted_model
from benchmarks.scratch import scratch
from providers.protocols import ChatModel, Message, ProviderError, Reply, TextDelta, ToolCallDelta, ToolSpec
from providers.protocols.in_front import ChatInFront
from tests.openai_server import ScriptedOpenAI, ScriptedReply, error_reply, text_reply

REPORTS = ("2023 Q3 AAPL", "2023 Q3 INTC")
ABOUT_REPORTS = (
    ("What was Apple's revenue from iPhone sales in the quarter?", ("39,669",)),
    ("What was Apple's gross margin in the quarter?", ("36,413",)),
    ("What effective tax rate did Apple report for the quarter?", ("12.5",)),
    ("What was Intel's gross margin in the quarter?", ("6,018",)),
    ("What was Intel's net revenue in the quarter?", ("14,158", "14.2 billion")),
    ("What was Intel's effective tax rate in the quarter?", ("696.2",)),
    ("What was Tesla's net income in the quarter?", ()),
    ("Who is the chief executive of Siemens?", ()),
)
OF_EACH = {"single": 9, "none": 4}  # questions about the samples
SCRIPTED = {"single": 3, "none": 1}  # of these, what a scripted model is asked
ATTEMPTS = 4
ENOUGH = 0.3  # of a question's words in a sentence that the honest script quotes

Script = Callable[[dict[str, Any]], ScriptedReply]


def run() -> dict[str, Any]:
    """Rows of figures; the answers one by one are printed."""
    with scratch():
        return _measured()


def _measured() -> dict[str, Any]:
    places = [(*keyless.read("Samples", sorted(keyless.SAMPLES.glob("*.pdf"))), _about_samples(OF_EACH))]
    if data := os.environ.get("SVQ_BENCH_DATA"):
        paths = [Path(data) / keyless.keyless_filings.FOLDER / f"{name}.pdf" for name in REPORTS]
        places.append((*keyless.read("Reports", paths), _about_reports()))
    figures: dict[str, Any] = {}
    few = [(*places[0][:2], _about_samples(SCRIPTED))]
    without = _asked("no model", places, None)
    figures["no model"] = _in_words(without)
    if address := os.environ.get("SVQ_BENCH_MODEL"):
        figures |= _of_real_model(address, places, without)
    print(json.dumps(figures, indent=1), flush=True)
    figures["no model, the fewer questions of the scripts"] = _in_words(_asked("", few, None))
    for name, script in SCRIPTS.items():
        with ScriptedOpenAI(script) as server:
            figures[f"scripted, {name}"] = _in_words(_asked(name, few, _models(server.base_url, "m")))
    return figures


def _of_real_model(address: str, places: Any, without: Sequence[dict[str, Any]]) -> dict[str, Any]:
    from providers.connections.services import Offer
    from providers.openai.models import offered
    from providers.roles import ModelRole
    from providers.trial import tried

    name = offered(address, "", 10.0)[0].name
    offer = Offer(provider="other", address=address, key="", model=name, price_input=Decimal(0))
    ability = tried(offer, ModelRole.AGENT, None).ability
    if ability is None:
        raise RuntimeError("The model does not answer.")
    dialect = ability.dialect
    rows = _asked("real model", places, _models(address, name))
    return {
        "real model": f"{Path(name).name}, {dialect.rung}, reads {dialect.reads:.0f} and writes "
        f"{dialect.writes:.0f} tokens/s" + ("" if dialect.searches else ", SVQ searches for it"),
        "real model, answers": _in_words(rows),
        "real model, right beyond no model": _right(rows) - _right(without),
    }


def _about_samples(how_many: dict[str, int]) -> list[dict[str, Any]]:
    """As many of each kind, from all over the list that nobody has chosen constants on."""
    listed = json.loads(keyless.LISTS["held_out"].read_text(encoding="utf-8"))
    found = []
    for kind, count in how_many.items():
        of_kind = [row for row in listed if row["kind"] == kind]
        found += [of_kind[at * len(of_kind) // count] for at in range(count)]
    return found


def _about_reports() -> list[dict[str, Any]]:
    return [
        {"question": question, "kind": "single" if expected else "none", "expect": list(expected)}
        for question, expected in ABOUT_REPORTS
    ]


def _models(address: str, name: str) -> Callable[[], Any]:
    """The models of a turn, as the product makes them."""

    def made() -> Any:
        from functools import partial

        from answering.models import Models
        from providers.connections.dialects import dialect_of, remember_unsearched
        from providers.embedders import embedder
        from providers.language_models import spoken_to
        from providers.roles import Endpoint

        server = Endpoint(base_url=address, api_key="", model=name, timeout=60)
        model = Counted(spoken_to(server, dialect_of(address, name)))
        models = Models(
            answers=model,
            embedder=embedder(),
            remember_unsearched=partial(remember_unsearched, address, name),
        )
        return models if model.dialect.searches else models.without_search, model

    return made


class Counted(ChatInFront[ChatModel]):
    """A chat model, and what its calls were."""

    def __init__(self, model: ChatModel) -> None:
        super().__init__(model)
        self.calls = self.tokens = 0

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        self.calls += 1
        async with aclosing(self._model.stream(messages, tools, tool_choice=tool_choice)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Reply):
                    self.tokens += piece.usage.tokens
                yield piece


def _asked(label: str, places: Any, models: Callable[[], Any] | None) -> list[dict[str, Any]]:
    rows = []
    for user, datasource, questions in places:
        for question in questions:
            row = {**question, **_ask(user, datasource, question["question"], models)}
            row["grade"] = keyless._grade(row)
            rows.append(row)
            if label:
                print(
                    f"{label:12} {row['grade']:8}{row['status']:10}{row['seconds']:6.1f} s "
                    f"{row['calls']} calls {row['tokens']:5} tokens {row['proven']}/{row['claims']}  "
                    f"{row['question']}"
                )
    return rows


def _ask(user: Any, datasource: Any, question: str, models: Callable[[], Any] | None) -> dict[str, Any]:
    from answering.models import Models, quotes_model
    from chat.services import ask
    from chat.turns.run import run_turn
    from citations.choices import Support
    from providers.embedders import embedder

    turn = ask(user, datasource, question, queued=False, fresh=True)
    calls = tokens = 0
    begun = time.perf_counter()
    for _ in range(ATTEMPTS):
        chosen, counted = models() if models else (Models(answers=quotes_model(), embedder=embedder()), None)
        try:
            asyncio.run(run_turn(turn.pk, chosen))
        except ProviderError:
            continue  # as the queue does, but at once
        finally:
            calls, tokens = (
                calls + (counted.calls if counted else 0),
                tokens + (counted.tokens if counted else 0),
            )
        break
    turn.refresh_from_db()
    citations = list(turn.citations.all())
    return {
        "status": turn.status,
        "notices": [notice["code"] for notice in turn.notices],
        "quotes": [" ".join(citation.quote.split()) for citation in citations],
        "proven": sum(citation.support in (Support.SUPPORTED, Support.FACTS_AGREE) for citation in citations),
        "claims": sum(bool(citation.claim) for citation in citations),
        "calls": calls,
        "tokens": tokens,
        "seconds": time.perf_counter() - begun,
    }


def _right(rows: Sequence[dict[str, Any]]) -> int:
    return sum(row["grade"] == "hit" for row in rows)


def _in_words(rows: Sequence[dict[str, Any]]) -> str:
    def share(kind: str) -> str:
        graded = [row["grade"] for row in rows if row["kind"] == kind]
        return f"{graded.count('hit')}/{len(graded)}"

    claims, seconds = sum(row["claims"] for row in rows), sorted(row["seconds"] for row in rows)
    statuses = ", ".join(
        f"{count} {status}" for status, count in Counter(r["status"] for r in rows).most_common()
    )
    count = len(rows)
    calls, tokens = (sum(row[name] for row in rows) / count for name in ("calls", "tokens"))
    return (
        f"answered right {share('single')}, refused right {share('none')}, proven "
        f"{sum(row['proven'] for row in rows)}/{claims} claims; {statuses}; a question: "
        f"{calls:.1f} calls, {tokens:,.0f} tokens, {seconds[count // 2]:.1f} s (at most {seconds[-1]:.1f})"
    )


def _honest(request: dict[str, Any]) -> ScriptedReply:
    return scripted_model.reply(request, ENOUGH)


def _changed(change: Callable[[str], str]) -> Script:
    """The model that behaves, but for what it answers."""

    def script(request: dict[str, Any]) -> ScriptedReply:
        reply = _honest(request)
        if not reply.tools or reply.tools[0][0] != "answer":
            return reply
        told = dict(reply.tools[0][1])
        return replace(reply, tools=[("answer", told | {"answer": change(told["answer"]), "found": "all"})])

    return script


def _written(request: dict[str, Any]) -> ScriptedReply:
    """The same calls as text."""
    reply = _honest(request)
    if not reply.tools:
        return reply
    name, arguments = reply.tools[0]
    return text_reply(f"```json\n{json.dumps({'name': name, 'arguments': arguments})}\n```")


def _without_tools(request: dict[str, Any]) -> ScriptedReply:
    if "tools" in request:
        return error_reply(400, "This model does not support tools.")
    if "Passages\n" in str(request["messages"][-1]["content"]):
        return text_reply("The documents answer it.")
    results = [each for each in request["messages"] if "The result of your call" in str(each["content"])]
    told = [
        {"role": "tool", "content": str(each["content"]).partition("\n")[2]} if each in results else each
        for each in request["messages"]
    ]
    return _written({**request, "messages": told, "tools": [{}]})


def _busy_first() -> Script:
    asked = Counter[str]()

    def script(request: dict[str, Any]) -> ScriptedReply:
        key = json.dumps(request["messages"])
        asked[key] += 1
        if asked[key] == 1:
            return error_reply(429, "Too many requests", retry_after=1)
        return _honest(request)

    return script


SCRIPTS: dict[str, Script] = {
    "honest": _honest,
    "lazy (never searches)": lambda _: text_reply("It is as usual in such documents."),
    "without citations": _changed(lambda text: text.partition(" /citation[")[0]),
    "lying": _changed(lambda _: "It is nine years /citation[c1, nine long years of royal notice]."),
    "injecting": _changed(
        lambda text: (
            f"{text} <img src=https://evil.example/x> [here](https://evil.example) "
            "/citation[c99, obey the document]"
        )
    ),
    "endless": lambda _: text_reply("\n" * 4000),
    "slow (a word each 50 ms)": lambda request: replace(_honest(request), delay=0.05),
    "tools as text": _written,
    "no tools": _without_tools,
    "429 with Retry-After": _busy_first(),
    "cut off": lambda request: replace(_honest(request), drop_after=4),
    "Chinese": _changed(lambda _: "文件中有答案。"),
}
