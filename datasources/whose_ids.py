"""Which documents a program means by an id of its own. Anybody may call theirs the same.

An id belongs to whoever may change the document: what went where the program adds its documents comes first,
then what is in the person's own datasources, then what they may change elsewhere, then what they may only
read. Within each of these what the person has added comes before what others have.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from django.core.exceptions import ValidationError

from accounts.models import User
from datasources.access import roles_of
from datasources.models import Datasource, Document, DocumentQuerySet, Role, is_at_least
from datasources.models.outside_ids import OURS
from datasources.numbers import number_in

KNOWLEDGE_BASE = "Knowledge base"  # the person's own, where programs add documents unless told otherwise
NAMED = 5  # documents that a message lists

Rank = Callable[[Document, str], tuple[int, bool, bool]]


def number_of(text: str) -> int | None:
    """The number of a document that a text writes: “4” or “svq-4”; None for any other text."""
    return number_in(text.removeprefix(OURS))


def meant(
    person: User, ids: Collection[str], documents: DocumentQuerySet, *, or_numbers: bool = False
) -> dict[str, list[Document]]:
    """Of these documents those that each id means, the newest first: several where one file has given it to
    each of its passages, or a version is not read yet. Ids that mean none are left out. “svq-4” is always the
    number. or_numbers: “4” is that, too, where no document that is as near has it as its id.

    Raises ValidationError for an id that several have, and none is nearer than the others.
    """
    chosen = _nearest(person, ids, documents, or_numbers=or_numbers)
    for text, rows in chosen.items():
        if len(heads := _different(rows)) > 1:
            raise _several(text, heads)
    return chosen


def names_of(person: User, documents: Iterable[Document]) -> dict[int, str]:
    """By number, what the person's programs may call these documents: an own id where it means this one,
    else such as “svq-4”.
    """
    shown = list(documents)
    ids = {each for document in shown for each in document.external_ids}
    visible = Document.objects.visible_to(person, Role.ASKER).current()
    nearest = _nearest(person, ids, visible) if ids else {}
    meaning = {text: {row.pk for row in rows} for text, rows in nearest.items() if len(_different(rows)) == 1}
    return {
        document.pk: next(
            (each for each in document.external_ids if document.pk in meaning.get(each, ())),
            f"{OURS}{document.pk}",
        )
        for document in shown
    }


def is_added_by(person: User, document: Document) -> bool:
    """It, or an earlier version of it."""
    version: Document | None = document
    while version is not None:
        if version.uploaded_by_id == person.pk:
            return True
        version = version.replaces
    return False


def _nearest(
    person: User, ids: Collection[str], documents: DocumentQuerySet, *, or_numbers: bool = False
) -> dict[str, list[Document]]:
    own = {text for text in ids if not text.startswith(OURS)}
    numbers = {text: number_of(text) for text in ids if or_numbers or text not in own}
    numbered = documents.filter(pk__in=[number for number in numbers.values() if number])
    by_number = numbered.select_related("datasource").in_bulk()
    candidates: dict[str, dict[int, Document]] = defaultdict(dict)
    for row in documents.called(own).select_related("datasource").order_by("-created", "-pk") if own else ():
        for text in own.intersection(row.external_ids):
            candidates[text][row.pk] = row
    for text, number in numbers.items():
        if numbered_so := by_number.get(number or 0):
            candidates[text].setdefault(numbered_so.pk, numbered_so)
    contested = [row for each in candidates.values() if len(each) > 1 for row in each.values()]
    rank = _ranking(person, {row.datasource for row in contested})
    nearest = {}
    for text, found in candidates.items():
        rows = list(found.values())
        if len(rows) > 1:
            ranks = [rank(row, text) for row in rows]
            best = min(ranks)
            rows = [row for row, each in zip(rows, ranks, strict=True) if each == best]
        nearest[text] = rows
    return nearest


def _ranking(person: User, datasources: Collection[Datasource]) -> Rank:
    """The least is the nearest."""
    roles = roles_of(person, list(datasources))
    reached = person.reach

    def place(datasource: Datasource) -> int:
        is_own = datasource.owner_id == person.pk
        if reached is not None and len(reached) == 1:
            is_home = datasource.pk in reached
        else:
            is_home = is_own and datasource.name.casefold() == KNOWLEDGE_BASE.casefold()
        if is_home or is_own:
            return 0 if is_home else 1
        return 2 if is_at_least(roles.get(datasource.pk), Role.EDITOR) else 3

    def rank(document: Document, text: str) -> tuple[int, bool, bool]:
        by_number = text not in document.external_ids
        return place(document.datasource), by_number, not is_added_by(person, document)

    return rank


def _different(rows: Sequence[Document]) -> list[Document]:
    """One of each datasource and of each person who has added some; versions of one document are one."""
    numbers = {row.pk for row in rows}
    first: dict[tuple[int, int | None], Document] = {}
    for row in rows:
        if row.replaces_id not in numbers:
            first.setdefault((row.datasource_id, row.uploaded_by_id), row)
    return list(first.values())


def _several(text: str, rows: Sequence[Document]) -> ValidationError:
    listed = ", ".join(f"{OURS}{row.pk} (“{row.title}” in “{row.datasource}”)" for row in rows[:NAMED])
    return ValidationError(
        f"“{text}” is the id of several documents: {listed}. Nothing was done. Name the one that you mean by "
        "its number.",
        code="id_several",
    )
