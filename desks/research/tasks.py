"""The jobs: a search of arXiv, an import of papers, the reading of references."""

from procrastinate import JobContext
from procrastinate.contrib.django import app

from desks.research import importing, searching
from desks.research.references import read_references
from jobs.retry import Backoff
from jobs.slices import SLICE


@app.task(name="search_papers", queue="runs", pass_context=True, retry=Backoff())
def search_papers(context: JobContext, search_id: str) -> None:
    searching.carry_on(search_id, context.should_abort)


@app.task(name="import_papers", queue="runs", pass_context=True, retry=Backoff())
def import_papers(context: JobContext, import_id: int) -> None:
    importing.carry_on(import_id, context.should_abort, SLICE)


@app.task(name="read_references", queue="runs", retry=Backoff())
def references(document_ids: list[int]) -> None:
    for pk in document_ids:
        read_references(pk)
