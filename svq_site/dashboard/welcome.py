"""The first page of who has just installed SVQ: a question about the sample, answered beside its page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from chat import services
from chat.models import Citation, TurnStatus
from chat.web.answers.rendering import source_address, turn_address
from chat.web.answers.source import ShownPage, Source
from chat.web.answers.turn_view import Block, TurnView
from datasources.models import Datasource, Document
from reader.page_boxes import Box, lines
from svq_site.models import Welcome

QUESTIONS = 3  # offered beside the one that is answered
TRIED = 3  # quotes of which one is to be shown on its page
SHOWN = 2  # passages of an answer without a model
LONGEST_PAUSE = 60  # seconds between two looks at how far the reading is
PAGE_SHAPE = 0.62  # height of the cut-out of the page, in parts of its width
AIR = 3.0  # points above its first line and below its last one
ABOVE = 0.3  # of the cut-out, above the first marked words


def begin(person: User, datasource: Datasource) -> None:
    """The person's first page will show the first of the datasource's suggested questions, once answered."""
    anew = {"datasource": datasource, "turn": None, "closed": None, "since": timezone.now()}
    Welcome.objects.update_or_create(person=person, defaults=anew)


def ask_first_questions() -> int:
    """Ask the first question of each datasource whose documents are read by now; how many still wait."""
    waiting = 0
    for welcome in Welcome.objects.filter(turn=None, closed=None).select_related("person", "datasource"):
        waiting += not _ask_once_read(welcome)
    return waiting


def _ask_once_read(welcome: Welcome) -> bool:
    """Ask if the documents are read; False while they are being read."""
    if welcome.datasource.documents.current().unfinished().exists():
        return False
    _ask(welcome)
    return True


def _ask(welcome: Welcome) -> None:
    questions = welcome.datasource.suggested_questions
    if not questions:
        return close(welcome.person)
    try:
        with transaction.atomic():
            if Welcome.objects.select_for_update().get(pk=welcome.pk).turn_id is not None:
                return None  # asked meanwhile
            welcome.turn = services.ask(welcome.person, welcome.datasource, questions[0], by_itself=True)
            welcome.save(update_fields=["turn"])
    except ValidationError:  # such as a quota of no questions at all
        close(welcome.person)


def close(person: User) -> None:
    Welcome.objects.filter(person=person).update(closed=timezone.now())


def reopen(person: User) -> bool:
    """False if the person has none, or none any longer."""
    return bool(Welcome.objects.filter(person=person).update(closed=None, since=timezone.now()))


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOut:
    """The part of a page around the marked words, in points: top and height."""

    page: ShownPage
    top: float
    height: float

    @classmethod
    def around_marks(cls, page: ShownPage, lines: Sequence[Box]) -> "CutOut":
        """It begins and ends between two of these lines of the page."""
        height = min(page.height, page.across * PAGE_SHAPE)
        first = min((box.y for box in page.boxes), default=0)
        top = max(0, min(first - ABOVE * height, page.height - height))
        starts = [line.y - AIR for line in lines if line.y - AIR >= top]
        top = min(starts, default=top)
        ends = [line.bottom + AIR for line in lines if line.bottom + AIR >= top + height]
        bottom = min(ends, default=page.height)
        return cls(page=page, top=round(top, 1), height=round(bottom - top, 1))


class FirstPage:
    """What is shown of a welcome."""

    def __init__(self, welcome: Welcome) -> None:
        self.welcome = welcome
        self.datasource = welcome.datasource

    @property
    def is_ready(self) -> bool:
        """Whether the question is answered, or nothing more will come."""
        turn = self.welcome.turn
        return turn is not None and not turn.is_unfinished

    @property
    def pause(self) -> int:
        """Seconds until the page looks again: the longer the reading has taken already, the more of them."""
        waited = (timezone.now() - self.welcome.since).total_seconds()
        return min(max(1, round(waited / 20)), LONGEST_PAUSE)

    @cached_property
    def documents(self) -> int:
        return self.datasource.documents.current().count()

    @cached_property
    def read(self) -> int:
        """How many of the documents are read."""
        return self.documents - self.datasource.documents.current().unfinished().count()

    @cached_property
    def view(self) -> TurnView | None:
        """The question with its answer; None where there is none that could be shown."""
        turn = self.welcome.turn
        if turn is None or turn.status not in {TurnStatus.ANSWERED, TurnStatus.PARTIAL, TurnStatus.QUOTES}:
            return None
        return TurnView(turn, [], seq=0, live=False) if self.source else None

    @property
    def blocks(self) -> list[Block]:
        assert self.view is not None
        return self.view.blocks[:SHOWN] if self.view.keyless else self.view.blocks

    @property
    def address(self) -> str:
        """The conversation with the answer, and beside it the page that is shown here."""
        assert self.welcome.turn is not None
        if self.source is None:
            return turn_address(self.welcome.turn)
        return source_address(self.welcome.turn, self.source.citation.n)

    @cached_property
    def source(self) -> Source | None:
        """The first quote that can be shown on its page."""
        assert self.welcome.turn is not None
        cited: list[Citation] = list(
            self.welcome.turn.citations.select_related("document", "turn__conversation")
        )
        return next((source for source in map(Source, cited[:TRIED]) if source.drawn_crops), None)

    @cached_property
    def cut_out(self) -> CutOut:
        assert self.source is not None
        assert self.source.document is not None
        marked = [page for page in self.source.pages if page.boxes]
        page = self.source.document.pages.get(number=marked[0].number)
        return CutOut.around_marks(marked[0], lines(page, 0, len(page.text)))

    @property
    def questions(self) -> list[str]:
        asked = self.welcome.turn.question if self.welcome.turn else ""
        offered: list[Any] = self.datasource.questions or self.datasource.suggested_questions
        return [question for question in offered if question != asked][:QUESTIONS]


def first_page_of(person: User) -> FirstPage | None:
    """None where the person has put it away, has added a file, or can see the sample no longer.

    The question of a sample that somebody took later than at the first start is asked by the page itself,
    which looks again until the sample is read.
    """
    visible = Datasource.objects.listed_for(person)
    rows = Welcome.objects.filter(person=person, closed=None, datasource__in=visible)
    welcome = rows.select_related("datasource", "turn__conversation__user").first()
    if welcome is None:
        return None
    own = Document.objects.filter(uploaded_by=person, created__gt=welcome.since)
    if own.exists():
        return None
    if welcome.turn is None:
        _ask_once_read(welcome)
    return FirstPage(welcome)
