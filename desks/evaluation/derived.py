"""What evaluations hold of documents, as the registry of derived data needs it.

Questions that were made from a purged document go with it, with their results; those that people wrote or
imported stay, without the quotes. Results keep their scores and lose the words of the document.
"""

from collections.abc import Collection, Mapping

from django.db.models import Q, QuerySet

from batches.upkeep import forget_replies
from datasources.derived import Change, DerivedData, Subject
from datasources.models import Datasource
from desks.evaluation.models import GoldQuote, Origin, PaidReply, PaidVector, PaidWriting, Question, Result
from desks.evaluation.questions.gold import find_again
from desks.evaluation.runs.forgetting import without_documents
from desks.evaluation.runs.masking import mask_results
from desks.evaluation.runs.scheduled import defer_scheduled

MADE = (Origin.RULES, Origin.MODEL)


class Evaluations(DerivedData):
    loss, loss_at_zero = "evaluations", False

    def apply(self, change: Change) -> None:
        """Quotes are found again in a new version; those of a document that went are stale until then."""
        if change.purged:
            _forget(change.datasource_id, change.purged)
        moved = [*change.superseded, *change.published, *change.withdrawn]
        quotes = GoldQuote.objects.filter(
            document__in=moved, question__question_set__datasource=change.datasource_id
        )
        find_again(quotes)
        if change.published and not change.more_follows:
            defer_scheduled(change.datasource_id)

    def sweep(self, subject: Subject) -> None:
        if not subject.whole:
            _forget(subject.datasource_id, subject.documents)

    def mask(self, datasource_id: int) -> None:
        mask_results(datasource_id)

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.evaluation_runs.count()

    def count(self, subject: Subject) -> Mapping[str, int]:
        if subject.whole:
            of_set = {"question_set__datasource": subject.datasource_id}
            return {
                "evaluation_questions": Question.objects.filter(**of_set).count(),
                "evaluation_answers": Result.objects.filter(run__datasource=subject.datasource_id).count(),
            }
        return {
            "gold_quotes": _quotes(subject.datasource_id, subject.documents).count(),
            "evaluation_answers": _results(subject.datasource_id, subject.documents).count(),
        }


def _quotes(datasource_id: int, documents: Collection[int]) -> QuerySet[GoldQuote]:
    own = GoldQuote.objects.filter(question__question_set__datasource=datasource_id)
    return own.filter(document__in=documents)


def _results(datasource_id: int, documents: Collection[int]) -> QuerySet[Result]:
    """Those that name one of the documents."""
    named = Q(pk__in=[])
    for pk in documents:
        named |= Q(citations__contains=[{"document": pk}]) | Q(passages__contains=[{"document": pk}])
    return Result.objects.filter(named, run__datasource=datasource_id)


def _forget(datasource_id: int, documents: Collection[int]) -> None:
    quotes = _quotes(datasource_id, documents)
    asked = set(quotes.values_list("question", flat=True))
    Question.objects.filter(pk__in=asked, origin__in=MADE).delete()
    _forget_absent(datasource_id, set(documents))
    # People's own words stay; a quote that is only another place of the same answer needs no mark.
    quotes.update(quote="", start=None, end=None, document=None, is_stale=True)
    for result in _results(datasource_id, documents).select_for_update(of=("self",)).order_by("pk"):
        if without_documents(result, documents):
            result.save()
    forget_replies(PaidReply, run__datasource=datasource_id)
    PaidVector.objects.filter(run__datasource=datasource_id).delete()
    PaidWriting.objects.filter(question_set__datasource=datasource_id).delete()


def _forget_absent(datasource_id: int, gone: Collection[int]) -> None:
    """Made questions without a source whose words were from these documents alone."""
    made = Question.objects.filter(question_set__datasource=datasource_id, origin__in=MADE)
    for question in made.filter(about__overlap=list(gone)).select_for_update(of=("self",)).order_by("pk"):
        question.about = [pk for pk in question.about if pk not in gone]
        if question.about:
            question.save(update_fields=["about"])
        else:
            question.delete()
