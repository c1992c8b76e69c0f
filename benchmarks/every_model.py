"""What becomes of an answer with models of every kind, against no model at all on the same questions.

If SVQ_BENCH_MODEL names a server of the OpenAI protocol ("http://127.0.0.1:8199/v1"), a real model is tested
as the page Connect does and asked 60 questions: about the samples and, if SVQ_BENCH_DATA names the public
collection, about two quarterly reports and two office files. Then it is asked four of them in every way in
which a model can be spoken to, as are the models of more servers that SVQ_BENCH_MODEL names, and scripts that
behave or misbehave in one way each. SVQ_BENCH_KEEP names a file that keeps what was found out of real models,
so that a run that was broken off goes on where it was.

    SVQ_BENCH_KEEP=... python -m benchmarks.every_model

stores what such a run has found out so far, of the questions that were asked by then.
"""

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import keyless, measured, report
from benchmarks.behaviours import SCRIPTS, counted
from benchmarks.scratch import scratch
from providers.protocols import ChatModel, Message, ProviderError, Reply, TextDelta, ToolCallDelta, ToolSpec
from providers.protocols.dialect import Dialect, Rung
from providers.protocols.in_front import ChatInFront
from tests.openai_server import ScriptedOpenAI

QUESTIONS = Path(__file__).with_name("every_model_questions.json")
OF_EACH = {"single": 17, "none": 7}  # questions about the samples
FEW = {"single": 3, "none": 1}  # of these, those that are asked in every way
FOUR = "four questions"
TEST = "test of "
ATTEMPTS = 4


class Place(NamedTuple):
    """Documents that somebody has had read, and what is asked about them."""

    name: str
    user: Any
    datasource: Any
    questions: Sequence[dict[str, Any]]


class Kept:
    """What was found out already; in memory alone without a path."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self.known: dict[str, Any] = dict(json.loads(line) for line in lines)

    def once(self, key: str, find: Callable[[], Any]) -> Any:
        """What `find` gives, in this run or an earlier one."""
        if key not in self.known:
            self.known[key] = find()
            if self._path:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self.known[key]], ensure_ascii=False) + "\n")
        return self.known[key]


def run() -> dict[str, Any]:
    """Rows of figures; the answers one by one are printed."""
    with scratch():
        return _measured()


def _measured() -> dict[str, Any]:
    samples, *others = _places()
    kept = Kept(Path(path) if (path := os.environ.get("SVQ_BENCH_KEEP")) else None)
    few = [samples._replace(questions=_about_samples(FEW))]
    figures: dict[str, Any] = {}
    real, *smaller = os.environ.get("SVQ_BENCH_MODEL", "").split() or [""]
    if real:
        without = _asked("no model", [samples, *others], None, kept)
        name, dialect = _tested(real, kept)
        with_it = _asked(name, [samples, *others], _models(real, name, dialect), kept)
        figures |= _of_real_model(name, dialect, without, with_it)
    figures[f"{FOUR}: no model: none"] = _cells(_asked("no model", few, None, kept))
    for address in [real, *smaller] if real else []:
        name = _name(address)
        for rung in Rung:
            models = _models(address, name, Dialect(rung=rung, is_local=True))
            rows = _asked(f"{name}, {rung}", few, models, kept)
            figures[f"{FOUR}: {Path(name).stem}: {rung}"] = _cells(rows)
    for behaviour, script in SCRIPTS.items():
        for rung in Rung:
            with ScriptedOpenAI(counted(script())) as server:
                models = _models(server.base_url, "m", Dialect(rung=rung, is_local=True))
                rows = _asked(f"{behaviour}, {rung}", few, models, Kept(None))
            figures[f"{FOUR}: {behaviour}: {rung}"] = _cells(rows)
    return figures


def _of_real_model(
    name: str, dialect: Dialect, without: Sequence[dict[str, Any]], with_it: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Figures of the same questions without a model and with this one."""
    return {
        "no model": _in_words(without),
        "real model": _described(name, dialect),
        "real model, answers": _in_words(with_it),
        "real model, right beyond no model": _right(with_it) - _right(without),
    }


def _so_far() -> dict[str, Any]:
    """Figures of the real model from what is kept, of the questions that both were asked."""
    kept = Kept(Path(os.environ["SVQ_BENCH_KEEP"]))
    (tested,) = (key for key in kept.known if key.startswith(TEST))
    name = tested.removeprefix(TEST)
    listed = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    questions = _about_samples(OF_EACH) + [one for place in listed.values() for one in place["questions"]]
    asked = [one for one in questions if f"{name}: {one['question']}" in kept.known]
    without, with_it = (
        [_graded(one, kept.known[f"{label}: {one['question']}"]) for one in asked]
        for label in ("no model", name)
    )
    return _of_real_model(name, _dialect(kept.known[tested]), without, with_it)


def _places() -> list[Place]:
    samples = keyless.read("Samples", sorted(keyless.SAMPLES.glob("*.pdf")))
    places = [Place("Samples", *samples, _about_samples(OF_EACH))]
    if data := os.environ.get("SVQ_BENCH_DATA"):
        for name, listed in json.loads(QUESTIONS.read_text(encoding="utf-8")).items():
            read = keyless.read(name, [Path(data) / file for file in listed["files"]])
            places.append(Place(name, *read, listed["questions"]))
    return places


def _about_samples(how_many: dict[str, int]) -> list[dict[str, Any]]:
    """As many of each kind, from all over the list that nobody has chosen constants on."""
    listed = json.loads(keyless.LISTS["held_out"].read_text(encoding="utf-8"))
    found = []
    for kind, count in how_many.items():
        of_kind = [row for row in listed if row["kind"] == kind]
        found += [of_kind[at * len(of_kind) // count] for at in range(count)]
    return found


def _tested(address: str, kept: Kept) -> tuple[str, Dialect]:
    """The name of the model there, and how the test has found that it is spoken to."""
    from providers.connections.services import Offer
    from providers.roles import ModelRole
    from providers.trial import tried

    name = _name(address)

    def test() -> dict[str, Any]:
        offer = Offer(provider="other", address=address, key="", model=name, price_input=Decimal(0))
        outcome = tried(offer, ModelRole.AGENT, None)
        if outcome.ability is None:
            raise RuntimeError(f"The model does not answer: {outcome.failure}")
        found = outcome.ability.dialect
        return {"rung": found.rung, "streams": found.streams, "reads": found.reads, "writes": found.writes}

    return name, _dialect(kept.once(f"{TEST}{name}", test))


def _dialect(found: dict[str, Any]) -> Dialect:
    return Dialect(**found | {"rung": Rung(found["rung"])}, is_local=True)


def _described(name: str, dialect: Dialect) -> str:
    searches = "" if dialect.searches else ", SVQ searches for it"
    return (
        f"{Path(name).name}, {dialect.rung}, reads {dialect.reads:.0f} and writes "
        f"{dialect.writes:.0f} tokens/s{searches}"
    )


def _name(address: str) -> str:
    from providers.openai.models import offered

    return offered(address, "", 10.0)[0].name


def _models(address: str, name: str, dialect: Dialect) -> Callable[[], Any]:
    """The models of a turn, as the product makes them."""

    def made() -> Any:
        from answering.models import Models
        from providers.embedders import embedder
        from providers.language_models import spoken_to
        from providers.roles import Endpoint

        server = Endpoint(base_url=address, api_key="", model=name, timeout=60)
        model = Counted(spoken_to(server, dialect))
        models = Models(answers=model, embedder=embedder())
        return models if dialect.searches else models.without_search, model

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


def _asked(
    label: str, places: Sequence[Place], models: Callable[[], Any] | None, kept: Kept
) -> list[dict[str, Any]]:
    rows = []
    for place in places:
        for question in place.questions:
            asked = question["question"]
            found = kept.once(f"{label}: {asked}", partial(_ask, place.user, place.datasource, asked, models))
            row = _graded(question, found)
            rows.append(row)
            print(
                f"{label:12} {row['grade']:8}{row['status']:10}{row['seconds']:6.1f} s "
                f"{row['calls']} calls {row['tokens']:5} tokens "
                f"{_proven(row)}/{len(row['verdicts'])} proven  {asked}",
                flush=True,
            )
    return rows


def _graded(question: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    row = {**question, **found}
    return row | {"grade": keyless._grade(row)}


def _ask(user: Any, datasource: Any, question: str, models: Callable[[], Any] | None) -> dict[str, Any]:
    from answering.models import Models, quotes_model
    from chat.services import ask
    from chat.turns.run import run_turn
    from providers.embedders import embedder

    turn = ask(user, datasource, question, queued=False, fresh=True)
    calls = tokens = 0
    begun = time.perf_counter()
    for _ in range(ATTEMPTS):
        chosen, counted = models() if models else (Models(answers=quotes_model(), embedder=embedder()), None)
        failure = None
        try:
            asyncio.run(run_turn(turn.pk, chosen))
        except ProviderError as error:  # it is tried again, as the queue does
            failure = error
        calls += counted.calls if counted else 0
        tokens += counted.tokens if counted else 0
        if failure is None:
            break
        time.sleep(failure.retry_after or 0)
    turn.refresh_from_db()
    citations = list(turn.citations.all())
    return {
        "status": turn.status,
        "notices": [notice["code"] for notice in turn.notices],
        "answer": turn.answer,
        "quotes": [" ".join(citation.quote.split()) for citation in citations],
        "verdicts": [str(citation.support) for citation in citations if citation.claim],
        "calls": calls,
        "tokens": tokens,
        "seconds": round(time.perf_counter() - begun, 2),
    }


def _right(rows: Sequence[dict[str, Any]]) -> int:
    return sum(row["grade"] == "hit" for row in rows)


def _proven(row: dict[str, Any]) -> int:
    return sum(verdict in ("supported", "facts_agree") for verdict in row["verdicts"])


def _in_words(rows: Sequence[dict[str, Any]]) -> str:
    def share(kind: str) -> str:
        graded = [row["grade"] for row in rows if row["kind"] == kind]
        return f"{graded.count('hit')}/{len(graded)}"

    claims, seconds = sum(len(row["verdicts"]) for row in rows), sorted(row["seconds"] for row in rows)
    count = len(rows)
    calls, tokens = (sum(row[name] for row in rows) / count for name in ("calls", "tokens"))
    statuses = _tallied([row["status"] for row in rows])
    return (
        f"{count} questions: answered right {share('single')}, refused right {share('none')}, proven "
        f"{sum(map(_proven, rows))}/{claims} claims; {statuses}; a question: "
        f"{calls:.1f} calls, {tokens:,.0f} tokens, {seconds[count // 2]:.1f} s (at most {seconds[-1]:.1f})"
    )


def _cells(rows: Sequence[dict[str, Any]]) -> str:
    """For the table: right, statuses, calls, tokens and seconds of a question, citations, verdicts."""
    calls, tokens, seconds = (
        sum(row[name] for row in rows) / len(rows) for name in ("calls", "tokens", "seconds")
    )
    cells = (
        f"{_right(rows)} of {len(rows)}",
        _tallied([row["status"] for row in rows]),
        f"{calls:.1f}",
        f"{tokens:,.0f}",
        f"{seconds:.1f}",
        str(sum(len(row["quotes"]) for row in rows)),
        _tallied([verdict for row in rows for verdict in row["verdicts"]]) or "none",
    )
    return "; ".join(cells)


def _tallied(words: Sequence[str]) -> str:
    counts = Counter(word.replace("_", " ") for word in sorted(words))
    return ", ".join(f"{count} {word}" for word, count in counts.most_common())


if __name__ == "__main__":
    measured.add("every_model", _so_far())
    report.main()
