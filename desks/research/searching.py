"""Searching arXiv as a small job, so that no page and no program holds a connection while it has to wait."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from procrastinate.contrib.django import app

from desks.research import queue
from desks.research.arxiv_api import client
from desks.research.arxiv_api.query import PaperQuery
from desks.research.models import PaperSearch, SearchStatus
from desks.research.papers import heard_of
from jobs.failures import Failure
from jobs.lanes import Lane
from jobs.runs import FencedRun, Stopped, claim

if TYPE_CHECKING:
    from accounts.models import User

KEPT = timedelta(hours=1)  # arXiv changes once a day
FAILURE_KEPT = timedelta(minutes=1)  # long enough to be read
WAITING_AT_MOST = 10  # searches of a person at once: arXiv would take half a minute for them


class SearchRun(FencedRun[PaperSearch]):
    safe = ""

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there."""

    def waiting(self, seconds: float) -> None:
        """Raises Stopped if the search no longer belongs to this run."""
        if self.should_stop() or not self._mine().exists():
            raise Stopped


def find(person: "User", query: PaperQuery, *, queued: bool = True, again: bool = False) -> PaperSearch:
    """The person's search for this, from within the last hour; else a new one, its job queued. `again`: a new
    one also where there is one that has ended.

    Raises ValidationError.
    """
    if query.is_empty:
        raise ValidationError(_("Enter what to search for."), code="empty")
    query.search  # noqa: B018 - raises for what cannot be asked
    mine = PaperSearch.objects.visible_to(person)
    mine.filter(created__lt=timezone.now() - KEPT).exclude(status=SearchStatus.RUNNING).delete()
    mine.filter(status=SearchStatus.FAILED, created__lt=timezone.now() - FAILURE_KEPT).delete()
    known = mine.filter(query=query.as_json()).first()
    if known is not None and (known.is_unfinished or not again):
        return known
    if mine.filter(status__in=PaperSearch.unfinished).count() >= WAITING_AT_MOST:
        raise ValidationError(
            _("Other searches of yours are still waiting. Let them finish first."), code="busy"
        )
    with transaction.atomic():
        mine.filter(query=query.as_json()).delete()
        row = PaperSearch.objects.create(asked_by=person, query=query.as_json())
        if queued:
            task = app.configure_task("search_papers", allow_unknown=False, lock=f"paper_search:{row.pk}")
            place = Lane(person=person.pk, datasource=0).place()
            row.write(job_id=task.defer(search_id=str(row.pk), lane=place))
    return row


def carry_on(search_id: str, should_stop: Callable[[], bool] = lambda: False) -> None:
    """Ask arXiv. Raises what `FencedRun.settle` raises."""
    row = claim(PaperSearch.objects.filter(pk=search_id).order_by())
    if row is None:
        return
    run = SearchRun(row, should_stop)
    if not run.gives_up():
        row.write(status=SearchStatus.RUNNING)
        run.carry_out(_search)


def _search(run: FencedRun[PaperSearch]) -> None:
    assert isinstance(run, SearchRun)
    row = run.row
    page = queue.ask(
        lambda turn: client.search(row.asked, turn.keep),
        tried=row.tries,
        waiting=run.waiting,
        refused=lambda tries: row.write(tries=tries),
    )
    heard_of(row.asked_by, page.papers)
    results = [paper.as_json() for paper in page.papers]
    with run.writing():
        run.close(
            status=SearchStatus.DONE, total=page.total, unreadable=page.unreadable, results=results, unended=0
        )
