"""Where the things that entries of the audit log are about can be opened, by whoever may open them anyway."""

from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import AuditEntry, User
from chat.models import Conversation, Turn
from datasources.models import Datasource, Document

DOCUMENTS = ("document", Document._meta.label)  # as requests and as administrators' looks call one
DATASOURCES = ("datasource", Datasource._meta.label)
Opened = dict[tuple[str, str], tuple[str, str]]  # kind and number: an address and a name


def opened(entries: Sequence[AuditEntry], reader: User) -> Opened:
    """Of documents, datasources, conversations and answers: what the reader may open by a role of their own,
    not as an administrator.
    """
    return (
        {
            ("document", str(pk)): (reverse("reader", args=[at, pk]), title)
            for pk, at, title in _documents(entries, reader)
        }
        | {
            ("datasource", str(pk)): (reverse("documents", args=[pk]), name)
            for pk, name in _datasources(entries, reader)
        }
        | {
            ("conversation", str(one.pk)): (_conversation(one), str(one))
            for one in _conversations(entries, reader)
        }
        | {
            ("answer", str(turn.pk)): (
                f"{_conversation(turn.conversation)}?turn={turn.number}",
                str(turn.conversation),
            )
            for turn in _answers(entries, reader)
        }
    )


def kind_of(entry: AuditEntry) -> str:
    if entry.subject in DOCUMENTS:
        return "document"
    return "datasource" if entry.subject in DATASOURCES else entry.subject


def numbers(entries: Iterable[AuditEntry], kind: str) -> set[int]:
    """Of the entries about that kind."""
    return {int(entry.number) for entry in entries if kind_of(entry) == kind and _is_number(entry.number)}


def _conversation(one: Conversation) -> str:
    return reverse("conversation", args=[one.datasource_id, one.pk])


def _documents(entries: Sequence[AuditEntry], reader: User) -> Iterator[tuple[int, int, str]]:
    found = Document.objects.visible_to(reader).filter(pk__in=numbers(entries, "document"))
    return found.values_list("pk", "datasource_id", "title").iterator()


def _datasources(entries: Sequence[AuditEntry], reader: User) -> Iterator[tuple[int, str]]:
    around = {entry.datasource for entry in entries if entry.datasource}
    found = Datasource.objects.visible_to(reader).filter(pk__in=numbers(entries, "datasource") | around)
    return found.values_list("pk", "name").iterator()


def _conversations(entries: Sequence[AuditEntry], reader: User) -> QuerySet[Conversation]:
    return Conversation.objects.visible_to(reader).filter(pk__in=_ids(entries, "conversation"))


def _answers(entries: Sequence[AuditEntry], reader: User) -> QuerySet[Turn]:
    found = Turn.objects.visible_to(reader).filter(pk__in=_ids(entries, "answer"))
    return found.select_related("conversation").only("number", "conversation")


def _ids(entries: Iterable[AuditEntry], kind: str) -> set[UUID]:
    return {made for entry in entries if kind_of(entry) == kind and (made := _uuid(entry.number))}


def _uuid(written: str) -> UUID | None:
    try:
        return UUID(written)
    except ValueError:
        return None


def _is_number(written: str) -> bool:
    return written.isascii() and written.isdigit()
