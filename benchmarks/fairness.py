"""What a neighbour waits beside one person's flood of documents, of large files, of questions."""

import io
import json
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any

from django.core.exceptions import ValidationError

from benchmarks import throwaway
from benchmarks.soak.load import QUESTIONS

LOOK = 0.02  # seconds between two looks at what the neighbour waits for
JUNK_FILES = 900
JUNK_QUESTIONS = 120
LARGE_FILES = 4
LARGE_BYTES = 4_000_000
SAMPLES = 20  # documents, and questions, that the neighbour waits for: half before the flood, half after

Flood = Callable[[], None]


def run(*, scale: float = 1.0, only: str = "") -> dict[str, Any]:
    """The workers and the driver are processes of their own."""
    with throwaway.app() as svq, svq.worker("ingest"), svq.worker("agent"):
        return svq.figures(f"from benchmarks.fairness import figures; figures({scale}, {only!r})")


# --- the driver ------------------------------------------------------------------------------------------
def figures(scale: float, only: str) -> None:
    """Seconds of the neighbour: from an upload until it is ready, from a question to its answer."""
    from accounts.models import User
    from datasources.models import Datasource

    flooder, neighbour = (User.objects.create_user(f"{name}@localhost") for name in ("flooder", "neighbour"))
    theirs = Datasource.objects.create(owner=flooder, name="Flood")
    own = Datasource.objects.create(owner=neighbour, name="Own")
    for path in sorted((throwaway.ROOT / "samples").glob("*.pdf")):
        for datasource in (theirs, own):
            read(datasource, path.read_bytes(), path.name)

    def large() -> None:
        text = " ".join(
            f"Sentence {n} of a large file says that it goes on." for n in range(LARGE_BYTES // 50)
        )
        for number in range(LARGE_FILES):
            add(theirs, f"{number} {text}".encode(), "large.txt")

    def junk() -> None:
        for number in range(int(JUNK_FILES * scale)):
            add(theirs, one_page(f"Junk {number}"), "junk.pdf")

    def questions() -> None:
        from chat.services import ask

        for number in range(int(JUNK_QUESTIONS * scale)):
            ask(flooder, theirs, f"{QUESTIONS[number % len(QUESTIONS)]} {number}")

    document = lambda: read(own, one_page(f"Note {next(NUMBERS)}"), "note.pdf")  # noqa: E731
    question = lambda: answered(own, QUESTIONS[next(NUMBERS) % len(QUESTIONS)])  # noqa: E731
    result = {}
    for name, wait, flood in (
        ("question_beside_120_questions", question, questions),
        ("one_page_pdf_beside_900_files", document, junk),
        ("one_page_pdf_beside_large_text_files", document, large),
    ):
        if only not in name:
            continue
        result[name] = compared(wait, flood, theirs)
        print(name, result[name], file=sys.stderr, flush=True)
    print(json.dumps(result))


NUMBERS = count()


def compared(wait: Callable[[], float], flood: Flood, flooded: Any) -> dict[str, Any]:
    """Waits without the flood, with it, and without it again, so that a busy machine spoils both alike."""
    for _ in range(3):
        wait()
    quiet = [wait() for _ in range(SAMPLES // 2)]
    flood()
    begun, left = time.monotonic(), unfinished(flooded)
    beside = [wait() for _ in range(SAMPLES)]
    done, seconds = left - unfinished(flooded), time.monotonic() - begun
    still = unfinished(flooded)
    end(flooded)
    quiet += [wait() for _ in range(SAMPLES // 2)]
    return {
        "median_without": round(statistics.median(quiet), 2),
        "median_with": round(statistics.median(beside), 2),
        "p95_without": round(p95(quiet), 2),
        "p95_with": round(p95(beside), 2),
        "ratio_of_p95": round(p95(beside) / p95(quiet), 2),
        "jobs_of_the_flood_left": still,
        "jobs_of_the_flood_done_a_second": round(done / seconds, 2),
    }


def p95(waits: list[float]) -> float:
    return statistics.quantiles(waits, n=20, method="inclusive")[-1]


def one_page(text: str) -> bytes:
    """A PDF of one page, with something to find on it."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file)
    for line in range(20):
        canvas.drawString(
            60, 780 - 20 * line, f"{text}: paragraph {line} says that the harbour opens at {line}."
        )
    canvas.save()
    return file.getvalue()


def add(datasource: Any, content: bytes, name: str) -> Any:
    from ingestion.adding.upload import accept_upload

    return accept_upload(datasource, datasource.owner, name, io.BytesIO(content), counted=False)[0].document


def read(datasource: Any, content: bytes, name: str) -> float:
    """Seconds from the upload until the document can be searched."""
    from datasources.models import DocumentStatus

    begun = time.monotonic()
    document = add(datasource, content, name)
    while document.is_unfinished:
        time.sleep(LOOK)
        document.refresh_from_db(fields=["status"])
    assert document.status == DocumentStatus.READY, document.status
    return time.monotonic() - begun


def answered(datasource: Any, question: str) -> float:
    """Seconds from the question until its answer is complete."""
    from chat.services import ask

    begun = time.monotonic()
    turn = ask(datasource.owner, datasource, question)
    while turn.is_unfinished:
        time.sleep(LOOK)
        turn.refresh_from_db(fields=["status"])
    assert turn.status != "failed"
    return time.monotonic() - begun


def unfinished(datasource: Any) -> int:
    """Jobs of its owner that wait or are being done: of questions, of counting pages, of reading."""
    from procrastinate.contrib.django.models import ProcrastinateJob

    jobs = ProcrastinateJob.objects.filter(status__in=["todo", "doing"])
    return int(jobs.filter(args__lane__person=datasource.owner_id).count())


def end(datasource: Any) -> None:
    """Stop the rest of the flood."""
    from chat.models import UNFINISHED, Turn
    from chat.services import stop
    from ingestion.lifecycle.retrying import cancel

    for document in datasource.documents.unfinished():
        with suppress(ValidationError):  # it has just been read
            cancel(document)
    for turn in Turn.objects.filter(conversation__datasource=datasource, status__in=UNFINISHED):
        stop(turn)
    time.sleep(5)  # what was being done comes to its end


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv))
    print(json.dumps(run(scale=float(arguments.get(1, 1)), only=arguments.get(2, "")), indent=2))
