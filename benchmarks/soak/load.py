"""What people do all the time: each activity is a thread that repeats one thing and counts it."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import httpx

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
QUESTIONS = [
    "How long are backups kept?",
    "Who may terminate the agreement?",
    "What is the notice period?",
    "Which encryption is used at rest?",
    "What was the revenue of the year?",
    "Who signs the amendment?",
]
TOWNS = ["Bergen", "Cork", "Delft", "Evora", "Fulda", "Ghent", "Huelva", "Imatra", "Jena", "Kotor"]


class Load:
    """One person with an API token and a session, in one datasource. `counts`: what was done, by activity;
    `failures`: what was answered with an error, by activity and status. `slower`: how many times as long
    the person waits between two activities, for a machine that has other work.
    """

    def __init__(
        self, base: str, token: str, cookie: str, datasource: int, documents: int, slower: float
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        limits = httpx.Limits(max_connections=None)
        self.program = httpx.Client(
            base_url=base, headers=headers, timeout=120, limits=limits, trust_env=False
        )
        self.browser = httpx.Client(
            base_url=base,
            cookies={"sessionid": cookie},
            timeout=120,
            limits=limits,
            trust_env=False,
            follow_redirects=True,
        )
        self.datasource, self.documents, self.slower = datasource, documents, slower
        self.counts: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.waits: dict[str, list[float]] = {}
        self.stopping = threading.Event()
        self._random = random.Random(25)
        self._number = 0
        self._threads: list[threading.Thread] = []

    def start(self, streams: int) -> None:
        every: list[tuple[Callable[[], None], float]] = [
            (self.add, 6),
            (self.delete, 6),
            (self.ask, 3),
            (self.search, 1),
            (self.look, 3),
            *[(self.follow, 0.5 / self.slower)] * streams,
        ]
        for activity, pause in every:
            thread = threading.Thread(target=self._repeat, args=(activity, pause * self.slower), daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        self.stopping.set()
        for thread in self._threads:
            thread.join(30)

    def _repeat(self, activity: Callable[[], None], pause: float) -> None:
        name = activity.__name__
        while not self.stopping.wait(self._random.uniform(0.5, 1.5) * pause):
            begun = time.monotonic()
            try:
                activity()
                self.counts[name] += 1
                self.waits.setdefault(name, []).append(time.monotonic() - begun)
            except httpx.HTTPStatusError as error:
                self.failures[f"{name} {error.response.status_code}"] += 1
            except httpx.HTTPError as error:
                self.failures[f"{name} {type(error).__name__}"] += 1

    def add(self) -> None:
        """A text of a few pages with names of its own; every fifth time, a PDF."""
        self._number += 1
        path = f"/api/v1/data-sources/{self.datasource}/documents"
        if self._number % 5 == 0:
            pdf = self._random.choice(sorted(SAMPLES.glob("*.pdf")))
            content = pdf.read_bytes() + b"\n%%%d" % self._number
            self.program.post(
                path, files={"files": (f"{self._number}-{pdf.name}", content)}
            ).raise_for_status()
            return
        text = "\n\n".join(self._paragraph(number) for number in range(40))
        body = {"title": f"Note {self._number}", "text": text}
        self.program.post(f"{path}/text", json=body).raise_for_status()

    def _paragraph(self, number: int) -> str:
        here, there = self._random.sample(TOWNS, 2)
        company = f"{here} {self._random.choice(['Shipping', 'Timber', 'Glass'])} {self._number % 50} Ltd"
        return (
            f"{number}. {company} delivers to the port of {there} within {self._random.randint(2, 90)} days. "
            f"The agreement of {company} ends in {self._random.randint(2027, 2040)}; its notice period is "
            f"{self._random.randint(1, 12)} months. Backups are kept for {self._random.randint(5, 99)} days."
        )

    def delete(self) -> None:
        """The oldest, where there are enough."""
        answer = self.program.get(f"/api/v1/data-sources/{self.datasource}/documents?status=ready")
        listed = answer.raise_for_status().json()
        found = sorted(each["id"] for each in (listed["results"] if isinstance(listed, dict) else listed))
        if surplus := found[: -self.documents]:
            path = f"/api/v1/data-sources/{self.datasource}/documents/delete"
            self.program.post(path, json={"documents": surplus}).raise_for_status()

    def ask(self) -> None:
        question = {
            "question": f"{self._random.choice(QUESTIONS)} ({self._random.random():.6f})",
            "wait": False,
        }
        path = f"/api/v1/data-sources/{self.datasource}/ask"
        told = self.program.post(path, json=question).raise_for_status().json()
        channel = told["events"].partition("=")[2]
        with self.program.stream("GET", f"/events/?channel={channel}") as stream:
            for line in stream.raise_for_status().iter_lines():
                if line == "event: turn_finished":
                    return

    def search(self) -> None:
        body = {"query": self._random.choice(QUESTIONS), "similarityTopK": 8}
        self.program.post("/api/v1/rag/retrieve", json=body).raise_for_status()

    def look(self) -> None:
        """Pages of the graph and of the documents."""
        pages = ["graph/", "graph/data.json", "entities/", "", "chat/"]
        self.browser.get(f"/d/{self.datasource}/{self._random.choice(pages)}").raise_for_status()

    def follow(self) -> None:
        """An event stream for some seconds, as a page has it while somebody looks at it."""
        end = time.monotonic() + self._random.uniform(10, 60)
        path = f"/events/html/?channel=datasource:{self.datasource}"
        with self.browser.stream("GET", path) as stream:
            for _line in stream.raise_for_status().iter_lines():
                if time.monotonic() > end or self.stopping.is_set():
                    return
