"""Everything a page shows of a turn, during the answer and afterwards."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from procrastinate.contrib.django.models import ProcrastinateWorker

from answering.nearest import NEAR
from answering.values.events import AnswerEvent
from chat import wording
from chat.branches import Branches
from chat.citation_rows.newer_version import Since, since
from chat.events import CitationChecked, TurnRestarted, TurnStarted
from chat.exports import as_markdown
from chat.models import UNFINISHED, Citation, Feedback, Turn, TurnStatus
from chat.nearest_passages import Passages, nearest_of
from chat.notebook import may_write
from chat.queue_places import place_of
from chat.trace import TimedStep, kept, lasting, steps_of, text_until
from chat.turns.follow_ups import FOLLOWED
from chat.web.answers import badges, rendering, trace
from chat.web.answers.documents_differ import DocumentsDiffer, documents_differ
from chat.web.answers.instead_of_reading import Link, links_of
from chat.web.answers.replaced import Replaced, replaced_of
from chat.web.answers.step_words import in_words
from chat.web.answers.verdict_line import VerdictLine, line_of
from citations.marks import without_marks
from datasources.models import Role
from english.lexicon import roots
from events import log
from events.models import Event
from jobs.lanes import before
from localization.lists import joined
from localization.numbers import numeral
from providers.language_models import playing
from providers.roles import ModelRole
from reader.changed_clauses import ChangedClause, ChangedClauses
from retrieval.tools.tool import ASKS_OUTSIDE
from text.search.excerpt import excerpt

WORKER_SILENT = timedelta(seconds=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of the answer. Below a passage stand its `sources`: each chip and, once checked, its citation
    with what newer documents change of it; in prose the chips are in the text.
    """

    id: str
    html: SafeString
    sources: list[tuple[SafeString, Citation | None, list[ChangedClause]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The turns at the same place of the conversation: which one this is, and the addresses beside it."""

    place: int  # from 1
    count: int
    before: str
    after: str
    passages: str  # the address of an earlier one that copies passages, where a model has written this one

    @classmethod
    def of(cls, turn: Turn, branches: Branches, copied: Collection[int]) -> "Versions | None":
        """None where there is no other. `copied`: numbers of those that hold passages word for word."""
        numbers = branches.versions(turn.number)
        if len(numbers) < 2:
            return None
        at = numbers.index(turn.number)
        there = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
        earlier = [number for number in numbers[:at] if number in copied and not turn.quotes_only]
        return cls(
            passages=f"{there}?turn={earlier[-1]}" if earlier else "",
            place=at + 1,
            count=len(numbers),
            before=f"{there}?turn={numbers[at - 1]}" if at else "",
            after=f"{there}?turn={numbers[at + 1]}" if at + 1 < len(numbers) else "",
        )


class TurnView:
    """A turn as it was at one of its events. `events`: those up to then, without pieces of the answer."""

    def __init__(self, turn: Turn, events: list[Event], *, seq: int, live: bool) -> None:
        self.turn = turn
        self.events = events
        self.seq = seq
        self.live = live
        self.quiet = live and turn.conversation.user.show_answers_when_complete
        self.id = rendering.anchor(turn)
        self.versions: Versions | None = None

    @cached_property
    def citations(self) -> list[Citation]:
        if self.live and not self._has(CitationChecked):
            return []
        return list(self.turn.citations.all())

    @cached_property
    def since(self) -> Mapping[int, Since]:
        """What became of the documents of its citations, by their primary keys."""
        return {} if self.live else since(self.citations)

    @cached_property
    def changed_clauses(self) -> ChangedClauses:
        return ChangedClauses(self.turn.conversation.datasource_id)

    def _changed(self, citation: Citation | None) -> list[ChangedClause]:
        if self.live or citation is None:
            return []
        return self.changed_clauses.within(citation.document, citation.start, citation.end)

    @property
    def replaced(self) -> list[Replaced]:
        """The documents that have a newer version since, with what of them is cited."""
        return replaced_of(self.citations, self.since)

    @cached_property
    def answer(self) -> str:
        """Markdown with marks, as far as it has been written."""
        if not self.live:
            return self.turn.answer
        return text_until(self.turn, self.seq) if self._has(TurnStarted, TurnRestarted) else ""

    @property
    def blocks(self) -> list[Block]:
        if self.quiet:
            return []
        html = rendering.growing_blocks(self.answer) if self.live else rendering.blocks(self.answer)
        return [self.block(index, part, last=index == len(html) - 1) for index, part in enumerate(html)]

    def block(self, index: int, html: str, *, last: bool) -> Block:
        by_number = {citation.n: citation for citation in self.citations}
        sources: list[tuple[SafeString, Citation | None, list[ChangedClause]]] = []
        numbers = rendering.marks_in(html)
        if self.keyless:
            html = without_marks(html)
            sources = [
                (
                    rendering.chip(n, self.turn, by_number.get(n), self.since),
                    by_number.get(n),
                    self._changed(by_number.get(n)),
                )
                for n in numbers
            ]
        elif not self.live:
            html = rendering.with_unsourced(html, wording.unsourced(self.turn))
        caret = last and self.live
        chips = rendering.with_chips(html, self.turn, by_number, caret=caret, since=self.since)
        return Block(id=f"{self.id}-b{index}", html=chips, sources=sources)

    @cached_property
    def steps(self) -> list[TimedStep]:
        return steps_of(self.events) if self.live else kept(self.turn)

    @property
    def lines(self) -> list[trace.Line]:
        return trace.lines(self.steps)

    @property
    def stage(self) -> str:
        """What is happening, or what was done."""
        if not self.live and any(notice["code"] == "reused" for notice in self.turn.notices):
            return _("Ready at once: nothing that the answer rests on has changed")
        if not self.live:
            searches = sum(bool(step.found) and step.label != ASKS_OUTSIDE for step in self.steps)
            return wording.work_done(searches, len(self.citations), quotes_only=self.keyless)
        if self.waits:
            return ": ".join(filter(None, (_("Waiting"), wording.place(self.ahead))))
        doing = [in_words(step.doing) for step in self.steps if step.doing]
        return doing[-1] if doing else _("Reading the question")

    @property
    def waits(self) -> bool:
        """Whether nobody has taken the question up yet."""
        return self.live and not self._has(TurnStarted, TurnRestarted)

    @cached_property
    def ahead(self) -> int | None:
        """How many questions are taken up before this one."""
        return place_of(self.turn)

    @property
    def in_the_queue(self) -> str:
        """What a queued question waits for, among the person's own questions."""
        ahead = before([self.turn.job_id]).get(self.turn.job_id, 0) if self.turn.job_id else 0
        if not ahead:
            return _("The question is in the queue")
        told = ngettext(
            "{n} question of yours is before this one", "{n} questions of yours are before this one", ahead
        )
        return told.format(n=numeral(ahead))

    @property
    def announcement(self) -> str:
        """The stage as the status line says it."""
        if self.live:
            return self.stage
        if self.turn.status not in {TurnStatus.ANSWERED, TurnStatus.PARTIAL, TurnStatus.QUOTES}:
            return self.headline
        ready = _("Passages ready") if self.keyless else _("Answer ready")
        verdicts = self.verdict_line.spoken if self.verdict_line else ""
        said = [ready, *(count.text for count in self.counts), verdicts, self.without_source]
        return joined(list(filter(None, said)))

    @cached_property
    def instead_of_reading(self) -> Sequence[Link]:
        """Pages that show whole documents, where the question needs a language model and none read them."""
        return [] if self.live or not self.may_read else links_of(self.turn)

    @property
    def unread(self) -> str:
        """The documents that could not be searched yet; empty where all could."""
        return wording.unread_then(self.turn)

    @property
    def headline(self) -> str:
        return wording.headline(self.turn)

    @property
    def explanation(self) -> str:
        return wording.explanation(self.turn)

    @property
    def error_detail(self) -> str:
        """Why it failed in full, when its author administers the server."""
        return self.turn.error_detail if self.turn.conversation.user.is_superuser else ""

    @property
    def contradicted(self) -> int:
        """How many claims of the answer its own sources contradict."""
        return sum(badges.of(citation) is badges.CONTRADICTED for citation in self.citations)

    @property
    def waits_for_worker(self) -> bool:
        return self.waits and not worker_is_there()

    @property
    def keyless(self) -> bool:
        return self.turn.quotes_only

    @property
    def writer(self) -> str:
        """The model that answers; for a queued turn, the one that will."""
        if self.turn.model or not self.live:
            return self.turn.model
        datasource = self.turn.conversation.datasource
        server = playing(datasource, ModelRole.AGENT, chosen=self.turn.chosen_model)
        return server.model if server else ""

    @property
    def cites_papers(self) -> bool:
        """Whether a bibliography of what it cites can be had."""
        return self.may_read and any(citation.cited_as for citation in self.citations)

    @cached_property
    def unanswered(self) -> Turn | None:
        """The question of its conversation that is being answered, or that is next."""
        turns = self.turn.conversation.turns.filter(status__in=UNFINISHED)
        return turns.order_by("number").first()

    @cached_property
    def can_keep(self) -> bool:
        """Whether its author may write in the notebook of the datasource."""
        return may_write(self.turn.conversation.user, self.turn.conversation.datasource)

    @cached_property
    def may_read(self) -> bool:
        """Whether its author may read whole documents; whoever may only ask has the answer and its proof."""
        conversation = self.turn.conversation
        return conversation.datasource.has_role(conversation.user, Role.VIEWER)

    @property
    def can_be_followed(self) -> bool:
        """Whether questions that lead on may be asked for."""
        return not self.live and self.turn.status in FOLLOWED

    @property
    def has_proof(self) -> bool:
        """Whether there is an answer with quotes that its author may hand on."""
        return not self.live and self.turn.status in FOLLOWED and bool(self.turn.answer) and self.may_read

    @property
    def is_archived(self) -> bool:
        """Whether it can only be read: nobody asks, keeps, shares or rates."""
        return self.turn.conversation.datasource.archived is not None

    @property
    def feedback(self) -> Feedback | None:
        return getattr(self.turn, "feedback", None)

    @property
    def tokens(self) -> int:
        """Tokens used; during the answer, those of its steps so far."""
        if self.live:
            return sum(step.tokens for step in self.steps)
        return sum(self.turn.usage.values())

    @property
    def costs_to_come(self) -> bool:
        """Whether it was stopped and the worker has not yet recorded its cost."""
        return self.turn.status == TurnStatus.STOPPED and not self.keyless and not self.tokens

    @property
    def tokens_label(self) -> str:
        return trace.short(self.tokens)

    @cached_property
    def nearest_passages(self) -> Passages:
        return nearest_of([self.turn])[self.turn.pk]

    @property
    def nearest(self) -> list[dict[str, object]]:
        """The nearest passages, with the page of the reader that shows each to whoever may read there."""
        datasource = self.turn.conversation.datasource_id
        return [
            {
                "title": passage["title"],
                "page": passage["pages"][0],
                "text": excerpt(passage["text"]),
                "read_elsewhere": passage["read_elsewhere"],
                "address": f"{reverse('reader', args=[datasource, passage['document']])}"
                f"?page={passage['pages'][0]}&chunk={passage['chunk']}"
                if self.may_read
                else "",
            }
            for passage in self.nearest_passages
        ]

    @property
    def is_near(self) -> bool:
        """Whether one of the nearest passages is near in meaning, or has a word of the question."""
        asked = roots(self.turn.question)
        return any(
            passage.get("score", 0.0) >= NEAR or asked & roots(passage["text"])
            for passage in self.turn.nearest
        )

    @property
    def without_marks(self) -> str:
        return without_marks(self.turn.answer)

    @property
    def without_source(self) -> str:
        """How many sentences of a finished answer cite nothing."""
        return "" if self.live else wording.without_source(self.turn)

    @property
    def counts(self) -> list[badges.Count]:
        return badges.counts(self.citations)

    @cached_property
    def verdict_line(self) -> VerdictLine | None:
        """The line under the answer; None where nothing is claimed."""
        if self.keyless or self.turn.status == TurnStatus.NOT_FOUND:
            return None
        return line_of(self.citations, [] if self.live else wording.unsourced(self.turn))

    @cached_property
    def differ(self) -> DocumentsDiffer | None:
        """Two documents that answer differently, once the answer is finished."""
        return None if self.live else documents_differ(self.turn)

    def _has(self, *kinds: type[AnswerEvent]) -> bool:
        """Whether such an event has happened."""
        return any(event.kind == kind.kind for event in self.events for kind in kinds)

    @property
    def markdown(self) -> str:
        return as_markdown(self.turn)


def view_of(turn: Turn, seq: int | None = None) -> TurnView:
    """The turn as it was after event `seq`, or as it is now."""
    if seq is None:
        seq = log.last_seq(turn.channel)
    events = list(lasting(turn).filter(seq__lte=seq))
    ended = any(event.final for event in events)
    return TurnView(turn, events, seq=seq, live=turn.is_unfinished or bool(events and not ended))


def views_of(turns: Iterable[Turn], branches: Branches | None = None) -> list[TurnView]:
    """The same for several turns; those that have ended need no events."""
    views = [view_of(turn) if turn.is_unfinished else TurnView(turn, [], seq=0, live=False) for turn in turns]
    for view in views:
        view.can_keep, view.may_read = views[0].can_keep, views[0].may_read
    became = since(citation for view in views if not view.live for citation in view.citations)
    nearest = nearest_of([view.turn for view in views])
    for view in views:
        view.since, view.changed_clauses = became, views[0].changed_clauses
        view.nearest_passages = nearest[view.turn.pk]
    if branches:
        _tell_versions(views, branches)
    return views


def _tell_versions(views: Sequence[TurnView], branches: Branches) -> None:
    shown = {view.turn.number for view in views}
    beside = {number for each in shown for number in branches.versions(each)} - shown
    copied: set[int] = set()
    if beside:
        ended = views[0].turn.conversation.turns.filter(number__in=beside, status__in=FOLLOWED)
        copied.update(ended.filter(quotes_only=True).values_list("number", flat=True))
    for view in views:
        view.versions = Versions.of(view.turn, branches, copied)


def worker_is_there() -> bool:
    """Whether a worker has reported lately."""
    heard = timezone.now() - WORKER_SILENT
    return ProcrastinateWorker.objects.filter(last_heartbeat__gt=heard).exists()
