"""Which documents go and come back with a mail: those made of its attachments."""

from collections.abc import Collection, Sequence

from datasources.models import Deletion, Document
from ingestion.models import Attachment


def going_with(mails: Sequence[Document]) -> list[Document]:
    """What is attached to documents that are being deleted, at any depth; the rows are locked.

    A file that another mail has too stays, and belongs to that mail from now on.
    """
    gone = {mail.pk for mail in mails}
    level, going = list(gone), []
    while level:
        chosen = Document.objects.current().select_for_update().filter(part_of__in=level).exclude(pk__in=gone)
        parts = list(chosen.order_by("pk"))
        heirs = _other_mails([part.pk for part in parts], gone)
        for part in parts:
            if part.pk in heirs:
                part.write(part_of_id=heirs[part.pk])
        leaving = [part for part in parts if part.pk not in heirs]
        going += leaving
        level = [part.pk for part in leaving]
        gone.update(level)
    return going


def _other_mails(documents: Collection[int], gone: Collection[int]) -> dict[int, int]:
    """By document, a mail that stays and has it too."""
    rows = Attachment.objects.filter(document__in=documents, mail__in=Document.objects.current())
    return dict(rows.exclude(mail__in=gone).order_by("-mail").values_list("document", "mail"))


def coming_back_with(documents: Collection[int]) -> set[int]:
    """What was deleted in one go with these documents as attached to them, at any depth."""
    receipts = Deletion.objects.undoable()
    batches = receipts.filter(document__in=documents).values("batch")
    together = receipts.filter(batch__in=batches).values("document")
    level, back = set(documents), set[int]()
    while level:
        parts = Document.objects.removed().filter(part_of__in=level, pk__in=together)
        level = set(parts.values_list("pk", flat=True)) - back
        back |= level
    return back
