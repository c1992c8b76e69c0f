"""What people and jobs do with question sets: make, edit, accept, delete. Each change makes a new version."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext
from procrastinate.contrib.django import app

from accounts import quotas
from accounts.models import UsageKind
from datasources.lanes import lane_of
from datasources.models import GONE, Datasource, Document
from desks.evaluation.models import GoldQuote, Kind, Origin, Question, QuestionSet, SetStatus
from desks.evaluation.questions.draft import Draft, Proof
from desks.evaluation.questions.gold import find_again, has_page, place, text_of
from formats.base.characters import visible_name
from ingestion.models import Page
from jobs.cancel import cancel_on_commit
from jobs.models import REQUEUED
from localization.numbers import numeral

if TYPE_CHECKING:
    from accounts.models import User

MOST_QUESTIONS = 2000  # of a set
MOST_MADE = 400  # of one kind, in one go
LONGEST = 4000  # characters of a question, as in a chat
LONGEST_REFERENCE = 50_000


def create_set(datasource: Datasource, name: str, by: "User | None" = None) -> QuestionSet:
    """An empty set. Raises ValidationError for a name that is missing, too long, or taken."""
    name = _checked_name(name)
    try:
        with transaction.atomic():
            return QuestionSet.objects.create(datasource=datasource, name=name, made_by=by)
    except IntegrityError:
        raise _taken(name) from None


def _checked_name(name: str) -> str:
    name = visible_name(name)
    if not name:
        raise ValidationError(gettext("A question set needs a name."), code="name_missing")
    if len(name) > 120:
        raise ValidationError(
            ngettext(
                "The name has {n} character; the limit is 120.",
                "The name has {n} characters; the limit is 120.",
                len(name),
            ).format(n=numeral(len(name))),
            code="name_long",
        )
    return name


def _taken(name: str) -> ValidationError:
    return ValidationError(
        gettext("There is a question set “{name}” already. Choose another name.").format(name=name),
        code="taken",
    )


def order_questions(
    question_set: QuestionSet,
    counts: dict[str, int],
    person: "User",
    *,
    by_model: bool,
    token_budget: int | None = None,
) -> None:
    """Queue the making of questions: so many of each kind. Those that a model writes are charged to the
    person, and count as questions that they ask. Raises ValidationError, QuotaUsedUp among them.
    """
    with transaction.atomic():
        row = locked(question_set)
        set_order(row, counts, by_model=by_model, token_budget=token_budget)
        row.write(made_by=person)
        if by_model:
            quotas.use(person, {UsageKind.QUESTIONS: sum(row.ordered[kind] for kind in Kind.values)})
        task = app.configure_task("make_questions", allow_unknown=False, lock=f"question_set:{row.pk}")
        row.write(job_id=task.defer(set_id=row.pk, lane=lane_of(row.datasource_id).place()))


def locked(question_set: QuestionSet) -> QuestionSet:
    """The row, in the caller's transaction. Raises ValidationError where it was deleted meanwhile."""
    rows = QuestionSet.objects.select_related("datasource").select_for_update(of=("self",))
    row = rows.filter(pk=question_set.pk).first()
    if row is None:
        raise ValidationError(
            gettext(
                "“{question_set}” was deleted meanwhile. Nothing was changed; choose another set."
            ).format(question_set=question_set),
            code="gone",
        )
    return row


def set_order(
    row: QuestionSet, counts: dict[str, int], *, by_model: bool, token_budget: int | None = None
) -> None:
    """Write down what is to be made, by a job or by the caller; `token_budget`: what a model may take for it.
    Raises ValidationError.
    """
    wanted = {kind: max(0, int(counts.get(kind, 0))) for kind in Kind.values}
    if not any(wanted.values()):
        raise ValidationError(gettext("Choose how many questions to make."), code="no_questions")
    if max(wanted.values()) > MOST_MADE:
        raise ValidationError(
            gettext("At most {most_made} questions of one kind at once.").format(most_made=MOST_MADE),
            code="many_questions",
        )
    if row.is_unfinished:
        raise ValidationError(gettext("Its questions are being made already. Wait for them."), code="busy")
    check_room(row, sum(wanted.values()))
    if not row.datasource.documents.ready().exists():
        raise ValidationError(gettext("No document is ready to ask about yet."), code="no_documents")
    ordered = {**wanted, "by_model": by_model, "token_budget": token_budget}
    row.write(**REQUEUED, status=SetStatus.QUEUED, ordered=ordered, spent_tokens=0)


def cancel_making(question_set: QuestionSet) -> None:
    """Stop making questions; none was added."""
    with transaction.atomic():
        row = QuestionSet.objects.select_for_update().filter(pk=question_set.pk).first()
        if row is not None and row.is_unfinished:
            row.write(status=SetStatus.READY, run_token=None)
            cancel_on_commit(row.job_id)


def delete_set(question_set: QuestionSet) -> None:
    """With its questions and runs. The lock keeps out runs that are just being started."""
    cancel_making(question_set)
    with transaction.atomic():
        row = QuestionSet.objects.select_for_update().filter(pk=question_set.pk).first()
        if row is not None:
            for run in row.runs.exclude(job_id=None):
                cancel_on_commit(run.job_id)
            row.delete()


# --- questions -------------------------------------------------------------------------------------------
def add_questions(
    question_set: QuestionSet,
    drafts: Sequence[Draft],
    origin: Origin,
    *,
    author: "User | None" = None,
    proposed: bool = False,
) -> list[Question]:
    """Add them all in one new version. Raises ValidationError, and then adds none."""
    for draft in drafts:
        check_words(draft.text, draft.reference)
    with transaction.atomic():
        row = locked(question_set)
        check_room(row, len(drafts))
        if not drafts:
            return []
        made = store(row, next_version(row), drafts, origin, author=author, proposed=proposed)
    question_set.version = row.version
    return made


def check_room(row: QuestionSet, count: int) -> None:
    """Raises ValidationError where so many more do not fit."""
    there = row.questions.current().count()
    if there + count > MOST_QUESTIONS:
        raise ValidationError(
            gettext(
                "A set holds {most_questions} questions at most, this one has {there}. Make another."
            ).format(most_questions=numeral(MOST_QUESTIONS), there=numeral(there)),
            code="set_full",
        )


def store(
    row: QuestionSet,
    version: int,
    drafts: Sequence[Draft],
    origin: Origin,
    *,
    author: "User | None" = None,
    proposed: bool = False,
) -> list[Question]:
    """Write them with their quotes, in the caller's transaction, which has locked the set."""
    made = [
        Question(
            question_set=row,
            key=draft.key or uuid4(),
            since=version,
            kind=draft.kind,
            text=draft.text.strip(),
            reference=draft.reference.strip(),
            origin=origin,
            template=draft.template,
            author=author,
            proposed=proposed,
            about=list(draft.about),
        )
        for draft in drafts
    ]
    Question.objects.bulk_create(made)
    proofs = [
        (question, proof) for question, draft in zip(made, drafts, strict=True) for proof in draft.proofs
    ]
    _add_gold(row.datasource_id, proofs)
    return made


def change_question(
    question: Question,
    *,
    kind: Kind,
    text: str,
    reference: str,
    proofs: Sequence[Proof] | None = None,
    author: "User | None" = None,
) -> Question:
    """Another wording, in a new version; `proofs` None keeps the quotes. Raises ValidationError."""
    check_words(text, reference)
    with transaction.atomic():
        row = locked(question.question_set)
        old = row.questions.current().filter(key=question.key).first()
        if old is None:
            raise ValidationError(
                gettext("This question was deleted meanwhile. Nothing was changed."), code="gone"
            )
        version = next_version(row)
        old.until = version
        old.save(update_fields=["until"])
        new = Question.objects.create(
            question_set=row,
            key=old.key,
            since=version,
            kind=kind,
            text=text.strip(),
            reference=reference.strip(),
            origin=Origin.PERSON,
            template=old.template,
            author=author,
        )
        kept = [proof_of(gold) for gold in old.gold.all()] if proofs is None else proofs
        _add_gold(row.datasource_id, [(new, proof) for proof in kept])
    return new


def proof_of(gold: GoldQuote) -> Proof:
    return Proof(
        document_id=gold.document_id,
        title=gold.document_title,
        quote=gold.quote,
        start=gold.start,
        end=gold.end,
        page=gold.page,
        piece=gold.piece,
    )


def remove_questions(question_set: QuestionSet, keys: Collection[UUID]) -> int:
    """Take questions out of the set from the next version on; results of earlier runs stay."""
    with transaction.atomic():
        row = QuestionSet.objects.select_for_update().filter(pk=question_set.pk).first()
        if row is None:  # it was deleted meanwhile
            return 0
        chosen = row.questions.current().filter(key__in=keys)
        if not chosen.exists():
            return 0
        return int(chosen.update(until=next_version(row)))


def next_version(row: QuestionSet) -> int:
    """Of a set that the caller has locked."""
    row.write(version=row.version + 1)
    row.save(update_fields=["updated"])
    return row.version


def check_words(text: str, reference: str) -> None:
    if not text.strip():
        raise ValidationError(gettext("There is no question. Type one."), code="question_missing")
    if len(text) > LONGEST:
        raise ValidationError(
            ngettext(
                "The question has {n} character; the limit is {longest}.",
                "The question has {n} characters; the limit is {longest}.",
                len(text),
            ).format(n=numeral(len(text)), longest=numeral(LONGEST)),
            code="question_long",
        )
    if len(reference) > LONGEST_REFERENCE:
        raise ValidationError(
            ngettext(
                "The expected answer has {n} character; the limit is {longest_reference}.",
                "The expected answer has {n} characters; the limit is {longest_reference}.",
                len(reference),
            ).format(n=numeral(len(reference)), longest_reference=numeral(LONGEST_REFERENCE)),
            code="reference_long",
        )


def _add_gold(datasource_id: int, proofs: Iterable[tuple[Question, Proof]]) -> None:
    """Store proofs; what is not told of their place is looked up by their quote. Locks their documents.

    One of a deleted document is stale, and stays tied to it: it goes or comes back with it.
    """
    listed = list(proofs)
    named = {proof.document_id for _, proof in listed if proof.document_id is not None}
    rows = Document.objects.filter(datasource=datasource_id, pk__in=named)
    locked = {row.pk: row for row in rows.select_for_update(no_key=True).order_by("pk")}
    found = _places(
        [proof for _, proof in listed], {pk for pk, row in locked.items() if row.status not in GONE}
    )
    GoldQuote.objects.bulk_create(
        [_gold(question, proof, locked.get(proof.document_id or 0), found) for question, proof in listed]
    )


Places = dict[tuple[int | None, str], tuple[int, int, int] | None]


def _places(proofs: Iterable[Proof], documents: Collection[int]) -> Places:
    """Start, end and page of the quotes that are told without, by document and quote."""
    quotes: dict[int, set[str]] = defaultdict(set)
    for proof in proofs:
        pk = proof.document_id
        if pk is not None and pk in documents and proof.quote and proof.start is None:
            quotes[pk].add(proof.quote)
    found: Places = {}
    for pk, some in quotes.items():
        text = text_of(pk)
        found |= {(pk, quote): place(pk, quote, text) for quote in some}
    return found


def _gold(question: Question, proof: Proof, document: Document | None, found: Places) -> GoldQuote:
    start, end, page = proof.start, proof.end, proof.page
    is_there = document is not None and document.status not in GONE
    if document is None or not is_there:
        pass
    elif proof.quote and start is None:
        told = found[document.pk, proof.quote]
        is_there = told is not None
        start, end, page = told or (start, end, page)
    elif proof.quote and page is None and start is not None:
        page = _page_at(document.pk, start)
    elif not proof.quote and page is not None:
        is_there = has_page(document.pk, page)
    return GoldQuote(
        question=question,
        piece=proof.piece,
        quote=proof.quote,
        is_stale=not is_there,
        document=document,
        document_title=(document.title if document else proof.title)[:300],
        start=start,
        end=end,
        page=page,
    )


def _page_at(document_id: int, offset: int) -> int | None:
    pages = Page.objects.filter(document=document_id, start__lte=offset).order_by("-start")
    return pages.values_list("number", flat=True).first()


def look_again(question_set: QuestionSet) -> int:
    """Find the quotes of the current questions again, also in documents that came after their question; how
    many are stale.
    """
    quotes = GoldQuote.objects.filter(question__question_set=question_set, question__until=None)
    _tie_by_name(question_set.datasource, quotes.filter(document=None).exclude(quote=""))
    find_again(quotes)
    return quotes.filter(is_stale=True).values("question").distinct().count()


def _tie_by_name(datasource: Datasource, quotes: QuerySet[GoldQuote]) -> None:
    """To the documents whose title or file name they tell."""
    rows = list(datasource.documents.current().order_by("-pk").only("datasource", "title", "filename"))
    named = {row.filename.lower(): row for row in rows} | {row.title.lower(): row for row in rows}
    for title in set(quotes.values_list("document_title", flat=True)):
        if document := named.get(title.lower()):
            quotes.filter(document_title=title).update(document=document)
