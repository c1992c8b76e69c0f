"""Many turns at once on one worker, with a model server that writes as slowly as real ones do."""

import asyncio
import json
import os
import re
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import throwaway
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, text_reply, tools_reply

TURNS = 50
SPREAD = 5.0  # seconds in which all of them ask; an answer takes longer, so that all run at once
WATCHED = 5  # of them, as a browser would
WORDS = 200  # of an answer, each a piece of its own
PAUSE = 0.05  # seconds before each word
FIRST = 0.5  # seconds before the first
PORT = 18_423
QUESTION = "What is the notice period of the agreement?"
STAMP = re.compile(r"T(\d{13})")


class Stamped(Sequence[dict[str, Any]]):
    """The pieces of an answer; each word is the moment at which it is sent, in milliseconds."""

    def __len__(self) -> int:
        return WORDS + 3

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError

    def __iter__(self) -> Iterator[dict[str, Any]]:
        time.sleep(FIRST)
        yield _piece("", id="call_0", name="answer")
        yield _piece('{"found": "all", "answer": "It is ')
        for _ in range(WORDS):
            time.sleep(PAUSE)
            yield _piece(f"T{time.time() * 1000:.0f} ")
        yield _piece('days /citation[c1, notice period]."}')


def _piece(arguments: str, **first: str) -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": first["name"]} if first else {})
    call = {"index": 0, "function": function} | ({"id": first["id"], "type": "function"} if first else {})
    return {"tool_calls": [call]}


def reply(request: dict[str, Any]) -> ScriptedReply:
    """A search first, then the answer; whatever wants JSON gets some."""
    if not request.get("stream"):
        return text_reply(
            json.dumps(
                {"question": QUESTION, "intent": "factual", "reason": "It says so.", "supported": True}
            )
        )
    if any(message["role"] == "tool" for message in request["messages"]):
        return ScriptedReply(deltas=Stamped())
    return tools_reply(("search_chunks", {"query": QUESTION}), delay=FIRST / 10)


def run(turns: int = TURNS) -> dict[str, Any]:
    """The web server, the workers and the driver are processes of their own."""
    with ScriptedOpenAI(reply) as server:
        settings = {
            "SVQ_LLM_BASE_URL": server.base_url,
            "SVQ_LLM_MODEL": MODEL,
            "SVQ_TURNS_AT_ONCE": str(turns),
            "SVQ_PORT": str(PORT),
        }
        with throwaway.app(**settings) as svq:
            svq.manage("collectstatic", "--noinput", "--verbosity", "0")
            with svq.worker("ingest"), svq.web() as web, svq.worker("agent") as agent:
                return svq.figures(
                    f"from benchmarks.turns import figures; figures({turns}, {agent.pid}, {web.pid})"
                )


# --- the driver --------------------------------------------------------------------------------------------
def figures(turns: int, worker: int, web: int) -> None:
    """Asks as many people at once, and prints what their turns took."""
    from accounts.models import User
    from benchmarks.fairness import read
    from chat.models import Turn
    from datasources.models import Datasource, Membership, Role
    from tests.people import browser_of

    owner = User.objects.get(email=throwaway.EMAIL)
    datasource = Datasource.objects.create(owner=owner, name="Own")
    for path in sorted((throwaway.ROOT / "samples").glob("*.pdf"))[:2]:
        read(datasource, path.read_bytes(), path.name)
    people = [User.objects.create_user(f"person{n}@localhost") for n in range(turns)]
    for person in people:
        Membership.objects.create(datasource=datasource, user=person, role=Role.VIEWER)
    asyncio.run(everybody(datasource.pk, [key_of(owner)] * 3, [], []))  # what is loaded once is loaded
    before, load = memory(worker, "VmRSS"), os.getloadavg()[0]
    processor = [processor_seconds(process) for process in (worker, web)]
    keys = [key_of(person) for person in people]
    browsers = [browser_of(person).cookies for person in people[:WATCHED]]
    cookies = [{key: morsel.value for key, morsel in browser.items()} for browser in browsers]
    shown: list[float] = []
    waits = asyncio.run(everybody(datasource.pk, keys, cookies, shown))
    asked = list(Turn.objects.filter(conversation__user__in=people))
    of_worker = {
        "worker_mb": f"{before} at rest, {memory(worker, 'VmHWM')} at most",
        "processor_seconds_of_a_turn": " and ".join(
            f"{(processor_seconds(process) - spent) / turns:.2f} in the {name}"
            for process, spent, name in zip((worker, web), processor, ("worker", "web server"), strict=True)
        ),
        "load_of_the_machine_before": round(load, 1),
    }
    print(json.dumps(told(asked, waits, shown) | of_worker))


def key_of(person: Any) -> str:
    """An API token of theirs."""
    from accounts.api_tokens import make_token
    from accounts.models import TokenScope

    return make_token(person, name="bench", scopes=[TokenScope.ASK], datasource_ids=None, days=1)[1]


async def everybody(
    datasource: int, keys: Sequence[str], cookies: Sequence[Any], shown: list[float]
) -> list[Mapping[str, float]]:
    """All ask, and read the events of their turns to the end. Of each turn: milliseconds from the moment of
    asking until each kind of event arrived first.
    """
    import httpx

    async def one(n: int, key: str) -> Mapping[str, float]:
        await asyncio.sleep(n * SPREAD / len(keys))
        begun = time.monotonic()
        waits: dict[str, float] = {}
        headers = {"Authorization": f"Bearer {key}"}
        question = {"question": f"{QUESTION} {len(keys)}.{n}", "wait": False}
        answer = await client.post(f"/api/v1/data-sources/{datasource}/ask", json=question, headers=headers)
        answer.raise_for_status()
        waits["accepted"] = (time.monotonic() - begun) * 1000
        channel = answer.json()["events"].partition("=")[2]
        if n < len(cookies):
            watching.append(asyncio.create_task(watch(client, cookies[n], channel, shown)))
        async with client.stream("GET", f"/events/?channel={channel}", headers=headers) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    waits.setdefault(line[7:], (time.monotonic() - begun) * 1000)
        return waits

    watching: list[asyncio.Task[None]] = []
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=300, limits=limits) as client:
        waits = await asyncio.gather(*(one(n, key) for n, key in enumerate(keys)))
        await asyncio.gather(*watching)
    return waits


async def watch(client: Any, cookies: Mapping[str, str], channel: str, shown: list[float]) -> None:
    """Reads the page's stream to its end; adds how long each word took from the model to here, in ms."""
    seen: set[str] = set()
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    async with client.stream("GET", f"/events/html/?channel={channel}", headers=headers) as answer:
        answer.raise_for_status()
        async for text in answer.aiter_text():
            now = time.time() * 1000
            new = set(STAMP.findall(text)) - seen
            shown += [now - int(stamp) for stamp in new]
            seen |= new


def told(
    turns: Sequence[Any], waits: Sequence[Mapping[str, float]], shown: Sequence[float]
) -> dict[str, Any]:
    from events.models import Event

    stages: dict[str, list[float]] = {}
    for turn in turns:
        for event in Event.objects.filter(channel=turn.channel, kind="stage_finished"):
            stages.setdefault(event.data["stage"], []).append(event.data["ms"])
    first = [wait["turn_queued"] for wait in waits]
    span = (max(turn.finished for turn in turns) - min(turn.created for turn in turns)).total_seconds()
    model = FIRST + FIRST / 10 * 4 + PAUSE * WORDS
    quick = ("classifying", "remembering", "ranking", "compressing", "checking")
    return {
        "turns": len(turns),
        "at_once_at_most": max(
            sum(other.created <= turn.created < other.finished for other in turns) for turn in turns
        ),
        "not_answered": sum(turn.status not in ("answered", "partial") for turn in turns),
        "seconds_of_a_turn": f"{both([turn.seconds for turn in turns], 1)}; the model alone {model:.1f}",
        "turns_a_minute": round(len(turns) / span * 60),
        "ms_until_accepted": both([wait["accepted"] for wait in waits]),
        "ms_to_first_event": both(first),
        "ms_until_taken_up": both([wait["turn_started"] for wait in waits]),
        "ms_until_first_words": both([wait["answer_delta"] for wait in waits if "answer_delta" in wait]),
        "ms_from_token_to_screen": both(shown) if shown else "not seen",
        "ms_of_stages": {stage: both(stages[stage], 1) for stage in quick if stage in stages},
    }


def both(values: Sequence[float], digits: int = 0) -> str:
    return f"p50 {statistics.median(values):.{digits}f}, p95 {percentile(values):.{digits}f}"


def percentile(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def processor_seconds(process: int) -> float:
    """That it has taken so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int, name: str) -> int:
    """In MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) // 1024  # type: ignore[index]
