"""Fifty questions at once from one account, without a language model: at ten reports, then beside event
streams and uploads where a datasource has 100,000 passages and 200,000 entities.

    SVQ_BENCH_DATA=folder python -m benchmarks fifty

Without the collection of quarterly reports in that folder the sample documents are asked about, and figures
of speed say little. SVQ_BENCH_LARGE=0 leaves the large datasource out.
"""

import asyncio
import json
import os
import statistics
import time
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

from benchmarks import spent, throwaway
from benchmarks.keyless_filings import COMPANIES, FOLDER
from benchmarks.turns import memory, percentile

QUESTIONS, REPORTS, WORKERS = 50, 10, 2
STREAMS, UPLOADS = 200, 20
PATIENCE = 900  # seconds
PORT = 18_424
ASKED = (
    "What was {company}'s net income?",
    "What was {company}'s net revenue?",
    "Which legal proceedings does {company} report?",
    "What does {company} say about foreign exchange?",
    "How did {company}'s operating expenses change?",
    "Which debt does {company} have?",
    "What is {company}'s effective tax rate?",
    "How many shares did {company} buy back?",
    "What does {company} say about its suppliers?",
    "Which leases does {company} have?",
)


def run() -> dict[str, Any]:
    """The web server, two workers for answers and the driver are processes of their own."""
    with throwaway.app(SVQ_PORT=str(PORT), SVQ_ANSWER_WORKERS=str(WORKERS)) as svq, ExitStack() as stack:
        svq.manage("ingest", "Reports", *map(str, reports()), "--user", throwaway.EMAIL, "--json")
        web = stack.enter_context(svq.web())
        workers = [
            stack.enter_context(svq.running("manage.py", "worker", "--queue", "agent"))
            for _ in range(WORKERS)
        ]
        pids = [web.pid, *(worker.pid for worker in workers)]
        code = "from benchmarks import fifty; fifty.{}(" + repr(pids) + ")"
        figures = svq.figures(code.format("at_ten_reports"))
        if os.environ.get("SVQ_BENCH_LARGE") != "0":
            svq.shell("from benchmarks import large_datasource; large_datasource.grow('Reports')")
            with svq.worker("ingest"):
                figures |= svq.figures(code.format("at_a_large_datasource"))
    return figures


def reports() -> list[Path]:
    """Ten of the collection, else the samples."""
    found = sorted((Path(os.environ.get("SVQ_BENCH_DATA") or "/nowhere") / FOLDER).glob("*.pdf"))
    return found[:: len(found) // REPORTS][:REPORTS] or sorted((throwaway.ROOT / "samples").glob("*.pdf"))


# --- the driver --------------------------------------------------------------------------------------------
def at_ten_reports(pids: list[int]) -> None:
    print(json.dumps(measured("ten reports", pids)))


def at_a_large_datasource(pids: list[int]) -> None:
    print(json.dumps(measured("100,000 passages", pids, streams=STREAMS, uploads=UPLOADS)))


def measured(name: str, pids: list[int], *, streams: int = 0, uploads: int = 0) -> dict[str, Any]:
    """`pids`: of the web server, then of the workers for answers."""
    from accounts.api_tokens import make_token
    from accounts.models import TokenScope, User
    from datasources.models import Datasource

    owner = User.objects.get(email=throwaway.EMAIL)
    datasource = Datasource.objects.get(name="Reports").pk
    key = make_token(
        owner, name=f"{name} {time.time()}", scopes=list(TokenScope), datasource_ids=None, days=1
    )[1]
    asyncio.run(Load(key, datasource).ask(WORKERS))  # what is loaded once is loaded
    before = spent_by(pids)
    load = Load(key, datasource)
    asyncio.run(load.run(streams, uploads))
    after = spent_by(pids)
    each = {who: (after[who] - before[who]) / QUESTIONS for who in before}
    done = sorted(load.seconds)
    return {
        f"{name}: outcomes": dict(load.outcomes),
        f"{name}: errors of the server": load.errors,
        f"{name}: questions told their place": load.placed,
        f"{name}: seconds, first": round(done[0], 2),
        f"{name}: seconds, p50 and p95": f"{statistics.median(done):.1f} and {percentile(done):.1f}",
        f"{name}: processor seconds of a worker an answer": round(each["workers"], 3),
        f"{name}: processor seconds of the web server an answer": round(each["web server"], 3),
        f"{name}: processor seconds of Postgres an answer": round(each["Postgres"], 3),
        f"{name}: processor seconds an answer": round(sum(each.values()), 3),
        f"{name}: MB of the workers at most": [memory(pid, "VmHWM") for pid in pids[1:]],
    }


def spent_by(pids: list[int]) -> dict[str, float]:
    """Processor seconds so far; `pids`: of the web server, then of the workers for answers."""
    web, *workers = map(spent.of_tree, pids)
    return {"web server": web, "workers": sum(workers), "Postgres": spent.of_postgres()}


class Load:
    """What one account does at once, and what came of it."""

    def __init__(self, key: str, datasource: int) -> None:
        self.headers, self.datasource = {"Authorization": f"Bearer {key}"}, datasource
        self.seconds: list[float] = []
        self.outcomes: Counter[str] = Counter()
        self.errors = self.placed = 0

    async def run(self, streams: int, uploads: int) -> None:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(self.client())
            for _ in range(streams):
                stream = client.stream("GET", f"/events/?channel=datasource:{self.datasource}")
                answer = await stack.enter_async_context(stream)
                self.errors += answer.status_code >= 500
            added = [asyncio.create_task(self.upload(client, n)) for n in range(uploads)]
            await self.ask(QUESTIONS)
            await asyncio.gather(*added)

    async def ask(self, count: int) -> None:
        companies = list(COMPANIES.values())
        texts = [ASKED[n % len(ASKED)].format(company=companies[n // len(ASKED)]) for n in range(count)]
        async with self.client() as client:
            await asyncio.gather(*(self.one(client, text) for text in texts))

    async def one(self, client: Any, text: str) -> None:
        begun = time.monotonic()
        asked = {"question": text, "wait": False, "fresh": True}
        answer = await client.post(f"/api/v1/data-sources/{self.datasource}/ask", json=asked)
        self.errors += answer.status_code >= 500
        if answer.status_code != 202:
            self.outcomes[str(answer.status_code)] += 1
            return
        turn = answer.json()
        await self.follow(client, turn["events"])
        self.seconds.append(time.monotonic() - begun)
        self.placed += turn["ahead"] is not None
        answer = await client.get(f"/api/v1/turns/{turn['id']}")
        self.errors += answer.status_code >= 500
        self.outcomes[answer.json()["status"]] += 1

    async def follow(self, client: Any, events: str) -> None:
        """As the page of a conversation does: asking again and again would measure the asking."""
        async with client.stream("GET", events) as stream:
            self.errors += stream.status_code >= 500
            async for _ in stream.aiter_lines():
                pass  # it ends with the turn

    async def upload(self, client: Any, number: int) -> None:
        text = f"Note {number}. " + "The meeting was adjourned. " * 200
        body = {"title": f"Note {number}", "text": text}
        answer = await client.post(f"/api/v1/data-sources/{self.datasource}/documents/text", json=body)
        self.errors += answer.status_code >= 500

    def client(self) -> Any:
        import httpx

        limits = httpx.Limits(
            max_connections=None, keepalive_expiry=1.0
        )  # sooner than the server closes them
        address = f"http://127.0.0.1:{PORT}"
        return httpx.AsyncClient(base_url=address, timeout=PATIENCE, limits=limits, headers=self.headers)
