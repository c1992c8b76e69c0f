"""The job that makes the questions of a set: by rules, or by a model whose questions code checks."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from django.db import transaction
from django.utils.translation import gettext_noop

from datasources.models import Document
from desks.evaluation.generation.absent import no_source
from desks.evaluation.generation.balance import choose
from desks.evaluation.generation.by_model import ModelWriter
from desks.evaluation.generation.corpus import Corpus
from desks.evaluation.generation.multi import multi_source
from desks.evaluation.generation.paid_writing import PaidWriter
from desks.evaluation.generation.single import single_source
from desks.evaluation.models import Kind, Origin, PaidWriting, QuestionSet, SetStatus
from desks.evaluation.questions.draft import Draft
from desks.evaluation.questions.services import add_questions
from jobs.failures import Failure
from jobs.runs import FencedRun, claim

OVER_BUDGET = gettext_noop("the budget was used up")
MORE = 12  # drafts for each question that is wanted: some repeat others
NO_MODEL = Failure(
    code="no_model",
    message=gettext_noop("No language model is connected that could write questions."),
    hint=gettext_noop("Connect one, or have them made by rules."),
)


class Making(FencedRun[QuestionSet]):
    safe = gettext_noop("Questions that are there are kept.")

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there."""


def make(set_id: int) -> None:
    """Make what was ordered and add it to the set. Raises what `FencedRun.settle` raises."""
    with transaction.atomic():
        row = claim(QuestionSet.objects.select_related("datasource").filter(pk=set_id).order_by())
        if row is None:
            return
        making = Making(row)
        if making.gives_up():
            return
        row.write(status=SetStatus.RUNNING)
    making.carry_out(_make)


def _make(making: Making) -> None:
    row = making.row
    by_model = bool(row.ordered.get("by_model"))
    model = PaidWriter.of(row) if by_model else None
    if by_model and model is None:
        making.fail(NO_MODEL)
        return
    corpus = Corpus.of(row.datasource)
    singles = single_source(corpus)
    known = list(row.questions.current().values_list("text", flat=True))
    writer = ModelWriter(model, corpus) if model else None
    drafts: list[Draft] = []
    made: dict[str, object] = {}
    for kind in Kind:
        count = int(row.ordered.get(kind.value, 0))
        if not count:
            continue
        source: Iterable[Draft] = by_rules(row, kind, corpus, singles)
        if writer:
            source = writer.write(kind, list(itertools.islice(source, MORE * count)), 2 * count)
        chosen, left_out = choose(itertools.islice(source, MORE * count), count, known)
        drafts += chosen
        known += [draft.text for draft in chosen]
        if writer and writer.is_over_budget and len(chosen) < count:
            left_out[OVER_BUDGET] += count - len(chosen)
        made[kind.value] = _told(count, chosen, left_out)
    with making.writing():
        add_questions(row, _still_proven(drafts), Origin.MODEL if writer else Origin.RULES)
        making.close(status=SetStatus.READY, made=made)
        PaidWriting.objects.filter(question_set=row).delete()


def _still_proven(drafts: Sequence[Draft]) -> list[Draft]:
    """Without those from a document that was purged while they were made. Locks the others' documents."""
    named = {pk for draft in drafts for pk in (*draft.documents, *draft.about)}
    locked = Document.objects.select_for_update(no_key=True).filter(pk__in=named).order_by("pk")
    there = set(locked.values_list("pk", flat=True))
    return [draft for draft in drafts if there.issuperset((*draft.documents, *draft.about))]


def by_rules(row: QuestionSet, kind: Kind, corpus: Corpus, singles: Sequence[Draft]) -> Iterator[Draft]:
    """Drafts of one kind, the likeliest first."""
    match kind:
        case Kind.SINGLE:
            yield from singles
        case Kind.MULTI:
            yield from multi_source(row.datasource, singles)
        case Kind.NONE:
            yield from no_source(row.datasource, corpus, singles)


def _told(count: int, chosen: Sequence[Draft], left_out: Counter[str]) -> dict[str, object]:
    return {"ordered": count, "made": len(chosen), "left_out": dict(left_out)}
