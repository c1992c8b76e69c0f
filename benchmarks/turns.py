"""Many turns at once on one worker, with a model server that writes as slowly as real ones do."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.fairness import ROOT, running
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, text_reply, tools_reply

TURNS = 50
WATCHED = 5  # of them, as a browser would
WORDS = 60  # of an answer, each a piece of its own
PAUSE = 0.05  # seconds before each word
FIRST = 0.5  # seconds before the first
PORT = 18_423
QUESTION = "What is the notice period of the agreement?"
LIMIT_FIRST_EVENT = 300  # ms
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
    """The driver runs as a process of its own, with the settings of a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="svq-bench-") as name, ScriptedOpenAI(reply) as server:
        folder = Path(name)
        folder.chmod(0o755)  # the embedded Postgres may run as another account
        environment = os.environ | {
            "SVQ_DATA_DIR": str(folder / "var"), "SVQ_ADMIN_EMAIL": "bench@localhost",
            "SVQ_LLM_BASE_URL": server.base_url, "SVQ_LLM_MODEL": MODEL, "SVQ_TURNS_AT_ONCE": str(turns),
            "SVQ_PORT": str(PORT),
        }  # fmt: skip
        environment.pop("DATABASE_URL", None)
        manage = [sys.executable, "manage.py"]
        for command in (
            ["migrate", "--verbosity", "0"], ["collectstatic", "--noinput", "--verbosity", "0"],
            ["make_account", "bench@localhost", "--admin"],
        ):  # fmt: skip
            subprocess.run(
                [*manage, *command], cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL
            )
        serve = [sys.executable, "-m", "uvicorn", "svq_site.asgi:application", "--port", str(PORT)]
        with ExitStack() as processes:
            ingest = [*manage, "worker", "--queue", "ingest", "--queue", "upkeep"]
            processes.enter_context(running(ingest, environment))
            processes.enter_context(running([*serve, "--log-level", "warning"], environment))
            agent = processes.enter_context(running([*manage, "worker", "--queue", "agent"], environment))
            code = f"from benchmarks.turns import figures; figures({turns}, {agent.pid})"
            driver = subprocess.run(
                [*manage, "shell", "-v", "0", "-c", code], cwd=ROOT, env=environment, check=True,
                stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
    return dict(json.loads(driver.stdout.splitlines()[-1]))


# --- the driver --------------------------------------------------------------------------------------------
def figures(turns: int, worker: int) -> None:
    """Asks as many people at once, and prints what their turns took."""
    from accounts.models import User
    from benchmarks.fairness import answered, read
    from chat.services import ask
    from datasources.models import Datasource, Membership, Role

    owner = User.objects.get(email="bench@localhost")
    datasource = Datasource.objects.create(owner=owner, name="Own")
    for path in sorted((ROOT / "samples").glob("*.pdf"))[:2]:
        read(datasource, path.read_bytes(), path.name)
    people = [User.objects.create_user(f"person{n}@localhost") for n in range(turns)]
    for person in people:
        Membership.objects.create(datasource=datasource, user=person, role=Role.VIEWER)
    for n in range(3):
        answered(datasource, f"{QUESTION} {n}")
    before = memory(worker, "VmRSS")
    shown: list[float] = []
    asked = []
    watching = []
    for n, person in enumerate(people):
        asked.append(ask(person, datasource, f"{QUESTION} {n + 10}"))
        if n < WATCHED:
            watching.append(threading.Thread(target=watch, args=(person, asked[-1].channel, shown)))
            watching[-1].start()
    for thread in watching:
        thread.join()
    while any(turn.is_unfinished for turn in asked):
        time.sleep(0.2)
        for turn in asked:
            turn.refresh_from_db(fields=["status", "finished", "seconds"])
    print(
        json.dumps(told(asked, shown) | {"worker_mb": f"{before} at rest, {memory(worker, 'VmHWM')} at most"})
    )


def watch(person: Any, channel: str, shown: list[float]) -> None:
    """Reads the page's stream to its end; adds how long each word took from the model to here, in ms."""
    import httpx
    from django.db import connection

    from tests.people import browser_of

    cookies = {key: morsel.value for key, morsel in browser_of(person).cookies.items()}
    address = f"http://127.0.0.1:{PORT}/events/html/?channel={channel}"
    seen: set[str] = set()
    with httpx.stream("GET", address, cookies=cookies, timeout=300) as answer:
        answer.raise_for_status()
        for text in answer.iter_text():
            now = time.time() * 1000
            new = set(STAMP.findall(text)) - seen
            shown += [now - int(stamp) for stamp in new]
            seen |= new
    connection.close()


def told(turns: Sequence[Any], shown: Sequence[float]) -> dict[str, Any]:
    from events.models import Event

    first: list[float] = []
    stages: dict[str, list[float]] = {}
    for turn in turns:
        events = list(Event.objects.filter(channel=turn.channel).order_by("seq"))
        queued, begun = events[0], next(event for event in events if event.kind == "turn_started")
        first.append((begun.created - queued.created).total_seconds() * 1000)
        for event in events:
            if event.kind == "stage_finished":
                stages.setdefault(event.data["stage"], []).append(event.data["ms"])
    span = (max(turn.finished for turn in turns) - min(turn.created for turn in turns)).total_seconds()
    model = FIRST + FIRST / 10 * 4 + PAUSE * WORDS
    quick = ("classifying", "remembering", "ranking", "compressing", "checking")
    broken = "" if percentile(first) < LIMIT_FIRST_EVENT else f" (limit broken: {LIMIT_FIRST_EVENT})"
    return {
        "turns_at_once": len(turns),
        "not_answered": sum(turn.status not in ("answered", "partial") for turn in turns),
        "seconds_of_a_turn": f"{both([turn.seconds for turn in turns], 1)}; the model alone {model:.1f}",
        "turns_a_minute": round(len(turns) / span * 60),
        "ms_to_first_event": both(first) + broken,
        "ms_from_token_to_screen": both(shown) if shown else "not seen",
        "ms_of_stages": {stage: both(stages[stage], 1) for stage in quick if stage in stages},
    }


def both(values: Sequence[float], digits: int = 0) -> str:
    return f"p50 {statistics.median(values):.{digits}f}, p95 {percentile(values):.{digits}f}"


def percentile(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def memory(process: int, name: str) -> int:
    """In MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) // 1024  # type: ignore[index]
