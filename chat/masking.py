"""Masking personal data in answers and other texts about documents, also in those that exist already."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from uuid import UUID

from django.db import transaction
from django.db.models import Prefetch
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from answering.values.personal_data import NOTICE, OF_QUOTE, PersonalData, masking_notice, remember
from chat.models import UNFINISHED, AnswerSettings, Citation, Note, Turn
from datasources.lanes import lane_of
from datasources.masking import mask_row, mask_rows, masked_columns
from datasources.models import Datasource, Introduction
from events import log
from text.personal.personal_data import Kind, find, kinds_in, mask

TURNS = 25  # locked at once
SETTLE_SECONDS = 5  # for answers that are just being finished
OF_TURN = ("answer", "standalone", "missing", "nearest", "steps", "trace")


def masked(datasource_ids: Collection[int]) -> set[int]:
    """Those of the datasources whose policy is to mask (settings.MASKED)."""
    chosen = AnswerSettings.objects.filter(datasource__in=datasource_ids, personal_data=PersonalData.MASK)
    return set(chosen.values_list("datasource_id", flat=True))


def mask_introduction(datasource: Datasource) -> None:
    """Mask what was made before the policy was set."""
    made = Introduction.objects.select_for_update().filter(datasource=datasource).first()
    if made:
        made.description = mask(made.description)
        made.questions = [each for each in made.questions if not find(each["question"])]
        made.save()


def defer_masking(datasource_id: int) -> None:
    """Queue the job that masks earlier answers, unless it is queued; joins the caller's transaction."""
    lock = f"masking:{datasource_id}"
    task = app.configure_task(
        "mask_what_was_said", lock=lock, queueing_lock=lock, schedule_in={"seconds": SETTLE_SECONDS}
    )
    with suppress(AlreadyEnqueued), transaction.atomic():
        task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


def mask_if_missed(turn: Turn) -> None:
    """Queue that job if an answer that has just ended was begun before masking was switched on."""
    datasource_id = turn.conversation.datasource_id
    if masked([datasource_id]) and _has_data(Turn.objects.get(pk=turn.pk)):
        defer_masking(datasource_id)


def _has_data(turn: Turn) -> bool:
    quotes = [each.quote or each.written for each in turn.citations.all() if not each.masked]
    return bool(masked_columns(turn, *OF_TURN) or _data_in(quotes))


def mask_citation(citation: Citation) -> None:
    """Take personal data out of it; its place in the document stays. The row is not written."""
    citation.masked = [each.value for each in kinds_in(citation.quote or citation.written)]
    mask_row(citation, *OF_QUOTE)


def mask_unwritten(turns: Iterable[Turn]) -> None:
    """Mask answers in memory, for what is told of them before the job has masked their rows."""
    for turn in turns:
        mask_row(turn, *OF_TURN)
        for citation in turn.citations.all():
            if not citation.masked and masked_columns(citation, *OF_QUOTE):
                mask_citation(citation)


def mask_answers(datasource_id: int) -> None:
    """Mask answers and notes written before the policy was set, and their events in the log."""
    ended = Turn.objects.filter(conversation__datasource=datasource_id).exclude(status__in=UNFINISHED)
    numbers = list(ended.values_list("pk", flat=True))
    for first in range(0, len(numbers), TURNS):
        _mask_turns(numbers[first : first + TURNS])
    mask_rows(Note.objects.filter(datasource=datasource_id), "text", "sources")


@transaction.atomic
def _mask_turns(numbers: Collection[UUID]) -> None:
    """Rows are locked from the read on: what a purge removes meanwhile must not come back."""
    cited = Prefetch("citations", Citation.objects.select_for_update(of=("self",), no_key=True))
    locked = Turn.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=numbers)
    turns = list(locked.order_by("pk").prefetch_related(cited))
    for turn in turns:
        _mask_turn(turn)
    log.keep_final_events([turn.channel for turn in turns])


def _mask_turn(turn: Turn) -> None:
    """An answer that had unmasked data is not given again: its cache key is removed."""
    citations = [citation for citation in turn.citations.all() if not citation.masked]
    there = _data_in([turn.answer, *(citation.quote or citation.written for citation in citations)])
    for citation in citations:
        if masked_columns(citation, *OF_QUOTE):
            mask_citation(citation)
            citation.save()
    changed = masked_columns(turn, *OF_TURN)
    if turn.follow_ups:
        changed["follow_ups"] = [each for each in turn.follow_ups if not find(each["question"])]
    if there:
        others = [notice for notice in turn.notices if notice["code"] != NOTICE]
        changed |= {"notices": [*others, {"code": NOTICE, "text": masking_notice(there)}], "cache_key": ""}
    if changed:
        turn.write(**changed)


def _data_in(texts: Iterable[str]) -> dict[Kind, set[str]]:
    data: dict[Kind, set[str]] = defaultdict(set)
    for text in texts:
        remember(data, text, find(text))
    return data
