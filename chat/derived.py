"""What conversations keep of documents, for the registry of derived data.

Answers and their citations belong to people and stay: a citation of a purged document keeps its quote and
nothing else of the document.
"""

from collections.abc import Collection, Mapping

from django.db.models import Case, Q, QuerySet, Value, When

from chat.events import CitationChecked
from chat.masking import mask_answers
from chat.models import DOCUMENT_DELETED, Citation, Instructions, Note, PaidReply, Turn
from datasources.derived import Change, DerivedData, Subject
from datasources.models import Datasource
from events import log
from events.models import Event


class Conversations(DerivedData):
    """Rows are deleted with the datasource by foreign keys; the events of turns are not."""

    loss = "conversations"

    def apply(self, change: Change) -> None:
        """Remove passages of purged documents shown beside answers, and all but the quote from citations."""
        _forget_follow_ups(change.datasource_id, [*change.withdrawn, *change.without_chunks])
        if change.purged:
            _forget_replies(change.datasource_id)
            _forget_nearest(change.datasource_id, change.purged)
            _forget_surroundings(change.purged)

    def sweep(self, subject: Subject) -> None:
        if not subject.whole:
            _forget_nearest(subject.datasource_id, subject.documents)
            _forget_follow_ups(subject.datasource_id, subject.documents)

    def purge_datasource(self, datasource: Datasource) -> None:
        for turn in Turn.objects.filter(conversation__datasource=datasource).only("pk"):
            log.close_channel(turn.channel)

    def mask(self, datasource_id: int) -> None:
        _forget_replies(datasource_id)
        mask_answers(datasource_id)

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.conversations.count()

    def count(self, subject: Subject) -> Mapping[str, int]:
        own = Turn.objects.filter(conversation__datasource=subject.datasource_id)
        if subject.whole:
            return {
                "conversations": own.values("conversation").distinct().count(),
                "questions": own.count(),
                "notes": Note.objects.filter(datasource=subject.datasource_id).count(),
                "instructions": Instructions.objects.filter(datasource=subject.datasource_id).count(),
            }
        return {
            "nearest_passages": _with_nearest(subject.datasource_id, subject.documents).count(),
            "follow_up_questions": _with_follow_ups(subject.datasource_id, subject.documents).count(),
            "surroundings_of_quotes": _surrounded(subject.documents).count(),
        }


class Notes(DerivedData):
    """What was kept in the notebook: people's words, masked and counted with the conversations."""

    loss, loss_at_zero = "notes", False

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.notes.count()


def _forget_replies(datasource_id: int) -> None:
    """Those of turns that are being answered: a turn that is killed asks its model again."""
    PaidReply.objects.filter(turn__conversation__datasource=datasource_id).delete()


def _with_nearest(datasource_id: int, documents: Collection[int]) -> QuerySet[Turn]:
    """Turns that show passages of these documents where nothing answered the question."""
    shown = Q(pk__in=[])
    for pk in documents:
        shown |= Q(nearest__contains=[{"document": pk}])
    return Turn.objects.filter(shown, conversation__datasource=datasource_id)


def _forget_nearest(datasource_id: int, documents: Collection[int]) -> None:
    turns = _with_nearest(datasource_id, documents).order_by("pk")
    for turn in turns.select_for_update(of=("self",)).only("nearest"):
        turn.write(nearest=[passage for passage in turn.nearest if passage["document"] not in documents])


def _with_follow_ups(datasource_id: int, documents: Collection[int]) -> QuerySet[Turn]:
    """Turns whose follow-up questions were made from these documents."""
    made = Q(pk__in=[])
    for pk in documents:
        made |= Q(follow_ups__contains=[{"document": pk}])
    return Turn.objects.filter(made, conversation__datasource=datasource_id)


def _forget_follow_ups(datasource_id: int, documents: Collection[int]) -> None:
    turns = _with_follow_ups(datasource_id, documents).order_by("pk")
    for turn in turns.select_for_update(of=("self",)).only("follow_ups"):
        left = [made for made in turn.follow_ups or [] if made["document"] not in documents]
        turn.write(follow_ups=left)


def _surrounded(documents: Collection[int]) -> QuerySet[Citation]:
    """Citations that hold more of these documents than the quote."""
    cited = Citation.objects.filter(document__in=documents)
    return cited.exclude(before="", after="", checks=[], judge={}, reason="", place_in_file="")


def _forget_surroundings(documents: Collection[int]) -> None:
    """Also in the log: the event of a citation repeats the text around the quote. Pages read the row."""
    surrounded = _surrounded(documents)
    turns = set(surrounded.values_list("turn", flat=True))
    surrounded.update(
        before="",
        after="",
        checks=[],
        judge={},
        place_in_file="",
        reason=Case(When(reason="", then=Value("")), default=Value(DOCUMENT_DELETED)),
    )
    channels = [Turn(pk=pk).channel for pk in turns]
    told = Event.objects.filter(channel__in=channels, kind=CitationChecked.kind)
    told.filter(data__document__in=list(documents)).delete()
