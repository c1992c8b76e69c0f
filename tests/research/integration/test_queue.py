"""One polite queue for all: how often arXiv is asked, and what a misbehaving arXiv comes to."""

import threading
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from desks.research import queue
from desks.research.arxiv_api import client
from desks.research.arxiv_api.errors import ArxivError, BadContent, GaveUp, NotThere, Offline, SwitchedOff
from desks.research.arxiv_api.identifiers import ArxivId
from desks.research.arxiv_api.query import PaperQuery
from desks.research.models import ArxivQueue
from tests.research.arxiv_server import (
    Arxiv,
    broken_off,
    endless,
    feed,
    redirect,
    refuse,
    say,
    slow,
    trickle,
)
from tests.research.world import arxiv_here

pytestmark = pytest.mark.django_db(transaction=True)

LANTERNS = PaperQuery(words="lanterns")
FIRST = ArxivId(number="2401.00001", version=1)


@pytest.fixture
def arxiv(settings: Any, monkeypatch: Any, tmp_path: Path) -> Iterator[Arxiv]:
    with arxiv_here(settings, monkeypatch, tmp_path) as server:
        yield server


def asked(request: Callable[[queue.Turn], Any], tried: int = 0) -> tuple[Any, list[int]]:
    tries: list[int] = []
    answer = queue.ask(request, tried=tried, waiting=lambda _: None, refused=tries.append)
    return answer, tries


def search() -> tuple[Any, list[int]]:
    return asked(lambda turn: client.search(LANTERNS, turn.keep))


def pdf() -> bytes:
    file = BytesIO()

    def request(turn: queue.Turn) -> None:
        file.seek(0)
        file.truncate()
        client.pdf(FIRST, file, turn.keep, lambda *_: None)

    asked(request)
    return file.getvalue()


def test_requests_of_several_processes_keep_their_distance(arxiv: Arxiv, settings: Any) -> None:
    settings.ARXIV_PAUSE = 0.3
    arxiv.next = [slow(0.1)] * 6

    def work() -> None:
        search()
        search()
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = sorted(at for at, _ in arxiv.asked)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert len(times) == 6
    assert min(gaps) > 0.28
    assert arxiv.most_at_once == 1


def test_who_died_with_the_turn_gives_it_up_in_the_end(arxiv: Arxiv, monkeypatch: Any) -> None:
    monkeypatch.setattr(queue, "HELD", 1.0)
    killed = queue.turn(lambda _: None)
    killed.__enter__()  # and nothing after it: its process is gone
    assert 0 < queue.seconds_left() <= 1.0
    search()


@pytest.mark.parametrize("status", [429, 503])
def test_arxiv_is_asked_three_times_with_growing_pauses(arxiv: Arxiv, status: int) -> None:
    arxiv.next = [refuse(status), refuse(status)]
    page, tries = search()
    assert (page.total, tries) == (5, [1, 2])
    first, second, third = (at for at, _ in arxiv.asked)
    assert second - first >= 0.05
    assert third - second >= 0.1
    arxiv.next = [refuse(status)] * 5
    with pytest.raises(GaveUp, match="SVQ asked 3 times"):
        search()
    assert len(arxiv.asked) == 6
    assert queue.seconds_left() > 0, "others wait as well"


def test_the_pauses_are_those_that_arxiv_is_promised() -> None:
    from svq_site import settings

    assert (queue.TRIES, queue.PAUSES, settings.ARXIV_PAUSE) == (3, (5, 10, 15), 3)


def test_retry_after_is_respected_and_counts_for_everybody(arxiv: Arxiv) -> None:
    arxiv.next = [refuse(429, retry_after="1")]
    _, tries = search()
    assert tries == [1]
    assert arxiv.asked[1][0] - arxiv.asked[0][0] >= 0.95
    arxiv.next = [refuse(503, retry_after="Wed, 21 Oct 2099 07:28:00 GMT")] * 3
    waits: list[float] = []

    def look(seconds: float) -> None:
        waits.append(seconds)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        queue.ask(
            lambda turn: client.search(LANTERNS, turn.keep), tried=0, waiting=look, refused=lambda _: None
        )
    assert 3000 < waits[0] <= queue.LONGEST_WAIT


def test_tries_of_a_worker_that_was_stopped_count(arxiv: Arxiv) -> None:
    arxiv.next = [refuse(503)] * 3
    with pytest.raises(GaveUp):
        asked(lambda turn: client.search(LANTERNS, turn.keep), tried=2)
    assert len(arxiv.asked) == 1


def test_an_empty_page_that_promises_more_is_asked_for_again(arxiv: Arxiv) -> None:
    arxiv.next = [say(feed([], 240))]
    assert search()[0].total == 5
    arxiv.next = [say(feed([], 240))] * 3
    with pytest.raises(GaveUp, match="promised 240 papers and sent none"):
        search()
    arxiv.papers = []
    page, _ = search()
    assert (page.total, page.papers) == (0, ())


@pytest.mark.parametrize(
    "act", [say(b"<html>Sorry</html>"), say(b""), say(feed(["<entry>"], 1)[:-10]), broken_off, refuse(500)]
)
def test_an_answer_that_is_no_feed_is_asked_for_again(arxiv: Arxiv, act: Any) -> None:
    arxiv.next = [act]
    assert len(search()[0].papers) == 5


def test_a_slow_arxiv_is_given_up(arxiv: Arxiv, monkeypatch: Any) -> None:
    monkeypatch.setattr(client, "_TIMEOUT", 0.2)
    arxiv.next = [slow(0.6)] * 3
    with pytest.raises(GaveUp, match="did not answer in time"):
        search()


def test_an_answer_that_trickles_is_given_up(arxiv: Arxiv, monkeypatch: Any) -> None:
    """Each byte comes in time, the whole never would."""
    monkeypatch.setattr(client, "FEED_SECONDS", 0.2)
    arxiv.next = [trickle(2.0)] * 3
    begun = time.monotonic()
    with pytest.raises(GaveUp, match="takes too long"):
        search()
    assert time.monotonic() - begun < 5


def test_offline_is_said_at_once_and_plainly(arxiv: Arxiv, settings: Any) -> None:
    settings.ARXIV_API_URL = "http://127.0.0.1:9/api/query"
    with pytest.raises(Offline, match=r"127\.0\.0\.1 cannot be reached from this server"):
        search()
    settings.ARXIV = False
    with pytest.raises(SwitchedOff):
        search()


def test_a_pdf_is_fetched_whole(arxiv: Arxiv) -> None:
    assert pdf() == arxiv.papers[0].pdf
    arxiv.next = [broken_off]
    assert pdf() == arxiv.papers[0].pdf, "a broken download leaves nothing behind"


def test_what_is_no_pdf_is_refused(arxiv: Arxiv, settings: Any) -> None:
    arxiv.next = [say(b"<html>PDF unavailable</html>", "application/pdf")]
    with pytest.raises(BadContent, match=r"no PDF for 2401\.00001v1"):
        pdf()
    arxiv.next = [say(b"", "application/pdf")]
    with pytest.raises(BadContent):
        pdf()
    arxiv.papers[0].pdf = b""
    with pytest.raises(NotThere):
        pdf()
    settings.MAX_UPLOAD_BYTES = 1_000_000
    arxiv.next = [endless()]
    with pytest.raises(BadContent, match="more than 0 MB"):
        pdf()


def test_a_feed_without_an_end_is_refused(arxiv: Arxiv, monkeypatch: Any) -> None:
    monkeypatch.setattr(client, "LONGEST_FEED", 200_000)
    arxiv.next = [endless(b"<feed>")]
    with pytest.raises(BadContent, match="never ends"):
        search()


def test_no_redirection_leads_into_this_network(arxiv: Arxiv) -> None:
    for target in (
        "http://127.0.0.2:5432/",
        "http://169.254.169.254/latest/",
        "https://arxiv.org.evil.example/",
    ):
        arxiv.next = [redirect(target)]
        with pytest.raises(BadContent, match="another server"):
            search()
    arxiv.next = [redirect(f"{arxiv.url}/api/query?max_results=2")]
    assert len(search()[0].papers) == 2
    arxiv.next = [redirect(f"{arxiv.url}/api/query")] * 9
    with pytest.raises(ArxivError, match="too many times"):
        search()


def test_a_long_download_keeps_its_turn(arxiv: Arxiv, monkeypatch: Any) -> None:
    monkeypatch.setattr(queue, "HELD", 0.2)
    with queue.turn(lambda _: None) as mine:
        for _ in range(6):
            time.sleep(0.08)
            mine.keep()
        assert not ArxivQueue.objects.filter(free_at__lte=timezone.now()).exists()
    assert queue.seconds_left() < 0.01
