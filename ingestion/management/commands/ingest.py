"""manage.py ingest DATASOURCE PATH...: files and folders into a datasource, read to the end."""

import json
import threading
import time
from argparse import ArgumentParser
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from accounts.models import User
from datasources.lookup import datasource_named, user_named
from datasources.models import UNFINISHED, Datasource, Document, DocumentStatus, Role
from datasources.models.tags import folder_tag
from datasources.services import create_datasource
from ingestion.adding.kinds_of_files import uploadable
from ingestion.adding.upload import UPLOAD_SUFFIXES, accept_upload
from text.counted import counted

QUEUES = [
    "ingest",
    "ocr",
    settings.ALWAYS_SERVED,
]  # the last gives back what a killed worker left in the middle
POLL = 0.5  # seconds between two looks at what is still being read
MANY = 50  # rows of the table; ready passages come by the thousand


class Command(BaseCommand):
    help = "Put files and folders into a datasource and read them to the end."
    requires_system_checks = ()  # they load every page; `migrate` has made them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasource", help="its name; made when it is new")
        parser.add_argument("paths", nargs="+", type=Path, help=f"{uploadable()}; folders")
        parser.add_argument(
            "--user", help="e-mail of the account to act for; the first administrator if unset"
        )
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON, no progress bar")

    def handle(self, *, datasource: str, paths: list[Path], user: str | None, json: bool, **_: Any) -> None:
        owner = user_named(user)
        files = list_files(paths)
        begun = time.monotonic()
        target = datasource_named(owner, datasource) or create_datasource(owner, datasource)
        if not target.allows(owner, Role.EDITOR):
            raise CommandError(f"{owner} may read “{target}” but not add to it.")
        if target.paused:
            raise CommandError(f"Reading in “{target}” is paused. Resume it on its page. Nothing was added.")
        rows, waiting = accept_all(target, owner, files)
        read_to_the_end(waiting, quiet=json)
        rows += outcome(waiting)
        report = {
            "datasource": {"id": target.pk, "name": target.name},
            "seconds": round(time.monotonic() - begun, 2),
            "documents": rows,
        }
        self.report(report, as_json=json)
        if any(row["status"] not in {"ready", "duplicate"} for row in rows):
            raise SystemExit(1)

    def report(self, report: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(report, indent=2, ensure_ascii=False))
        else:
            show(report)


def list_files(paths: list[Path]) -> list[tuple[Path, str]]:
    """The files named, and those of a readable kind inside the folders named; each with its folder as a tag.

    Raises CommandError.
    """
    files: list[tuple[Path, str]] = []
    for path in paths:
        if path.is_dir():
            inside = (p for p in path.rglob("*") if p.is_file() and p.suffix.lower() in UPLOAD_SUFFIXES)
            name = path.resolve().name
            files += [(p, folder_tag(f"{name}/{p.relative_to(path).as_posix()}")) for p in sorted(inside)]
        elif path.exists():
            files.append((path, ""))
        else:
            raise CommandError(f"{path} does not exist. Nothing was added.")
    if not files:
        raise CommandError(f"No file was found to add. SVQ reads {uploadable()}. Nothing was added.")
    return files


def accept_all(
    datasource: Datasource, user: User, files: list[tuple[Path, str]]
) -> tuple[list[dict[str, Any]], list[Document]]:
    """Accept every file; gives a row for each that needs no reading, and the documents that do."""
    rows: list[dict[str, Any]] = []
    waiting: list[Document] = []
    for path, tag in files:
        try:
            with path.open("rb") as file:
                accepted = accept_upload(datasource, user, path.name, file, counted=False, tag=tag)
        except (ValidationError, OSError) as error:
            message = error.messages[0] if isinstance(error, ValidationError) else str(error)
            code = str(getattr(error, "code", None) or "unreadable")
            rows.append(row(path.name, "rejected", error={"code": code, "message": message, "hint": ""}))
            continue
        for one in accepted:
            if one.duplicate and one.document.status not in UNFINISHED:
                rows.append(row(path.name, "duplicate", document=one.document))
            else:
                waiting.append(one.document)
    return rows, waiting


def row(file: str, status: str, *, document: Document | None = None, error: Any = None) -> dict[str, Any]:
    """What became of one file: the documented shape of --json."""
    return {
        "file": file,
        "document": document.pk if document else None,
        "title": document.title if document else file,
        "status": status,
        "pages": document.page_count if document else None,
        "pages_without_text": document.pages_without_text if document else 0,
        "pages_unreadable": document.pages_unreadable if document else 0,
        "chunks": document.chunk_count if document else 0,
        "error": error,
    }


def read_to_the_end(documents: list[Document], *, quiet: bool) -> None:
    """Work off the queue here, beside whatever worker is running, until these documents are finished.

    As many at once as a worker reads: the fetching of jobs sees to the limit of each person.
    """
    at_once = settings.JOB_LIMITS["ingest"]["worker"]
    done = threading.Event()
    watcher = threading.Thread(target=watch, args=(documents, done, quiet))
    watcher.start()
    try:
        while unfinished(documents):
            rescue_soon()
            with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
                app.run_worker(queues=QUEUES, wait=False, concurrency=at_once, name="ingest command")
            if unfinished(documents):
                time.sleep(POLL)
    finally:
        done.set()
        watcher.join()


def rescue_soon() -> None:
    """Queue what gives back the jobs of workers that were killed. A worker here may end before it has come to
    that among all that is done from time to time.
    """
    with suppress(AlreadyEnqueued):
        task = app.configure_task("jobs.tasks.retry_stalled", allow_unknown=False)
        task.defer(timestamp=int(time.time()))


def unfinished(documents: list[Document]) -> int:
    ids = [document.pk for document in documents]
    return Document.objects.filter(pk__in=ids, status__in=UNFINISHED).count()


def watch(documents: list[Document], done: threading.Event, quiet: bool) -> None:
    """Draw the progress bar until told to end."""
    if quiet or not documents:
        return
    ids = [document.pk for document in documents]
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("Reading", total=len(ids))
        while not done.wait(POLL):
            states = list(
                Document.objects.filter(pk__in=ids).values_list(
                    "status", "title", "stage_done", "stage_total"
                )
            )
            current = [s for s in states if s[0] in UNFINISHED and s[0] != DocumentStatus.QUEUED]
            completed = sum(s[0] not in UNFINISHED for s in states)
            bar.update(task, description=being_read(current), completed=completed)
        bar.update(task, description="Reading", completed=len(ids) - unfinished(documents))


def being_read(current: list[tuple[str, str, int, int]]) -> str:
    """A line for documents that are being read, each as (status, title, done, total): the first of them, and
    how many others.
    """
    if not current:
        return "Reading"
    status, title, done, total = current[0]
    others = f" (and {len(current) - 1} more)" if len(current) > 1 else ""
    return f"{title[:40]}: {DocumentStatus(status).label.lower()} {done} of {total}{others}"


def outcome(documents: list[Document]) -> list[dict[str, Any]]:
    """A row for every document that was read."""
    found = Document.objects.in_bulk([document.pk for document in documents])
    return [
        row(
            document.filename,
            document.status,
            document=document,
            error=document.error,
        )
        for document in found.values()
    ]


def show(report: dict[str, Any]) -> None:
    """The outcome as a table for people."""
    console = Console()
    table = Table("File", "Outcome", "Pages", "Chunks", "Note", box=None, header_style="bold")
    for one in report["documents"][:MANY]:
        error = one["error"] or {}
        note = " ".join(filter(None, [error.get("message"), error.get("hint")]))
        if one["status"] == "duplicate":
            note = "already here"
        elif one["pages_without_text"] or one["pages_unreadable"]:
            note = ", ".join(
                f"{counted(count, 'page')} {what}"
                for count, what in (
                    (one["pages_without_text"], "without text: OCR would help"),
                    (one["pages_unreadable"], "could not be read"),
                )
                if count
            )
        pages = "" if one["pages"] is None else str(one["pages"])
        table.add_row(one["file"], one["status"], pages, str(one["chunks"]), note)
    console.print(table)
    if len(report["documents"]) > MANY:
        console.print(f"... and {len(report['documents']) - MANY:,} more")
    counts = Counter(one["status"] for one in report["documents"])
    summary = ", ".join(f"{count:,} {status}" for status, count in counts.items())
    console.print(f"{report['datasource']['name']}: {summary} in {report['seconds']} s")
