"""Stores checked quotes as the citations of a turn."""

from collections.abc import Callable
from dataclasses import fields

from django.db import transaction

from answering.values.events import Step
from chat.events import CitationChecked
from chat.models import DOCUMENT_DELETED, Citation, Turn
from citations.checked import CheckedQuote
from datasources.models import Document

NOT_KEPT = {"n", "heading", "objections", "chunk"}
KEPT = tuple(each.name for each in fields(CheckedQuote) if each.name not in NOT_KEPT)


def row_of(turn: Turn, quote: CheckedQuote) -> Citation:
    """Its citation; not saved."""
    row = Citation(turn=turn, n=quote.n)
    write(row, quote)
    return row


def write(row: Citation, quote: CheckedQuote) -> None:
    """Set what is known of the quote; not saved."""
    for name in KEPT:
        value = getattr(quote, name)
        setattr(row, name, list(value) if isinstance(value, tuple) else value)
    row.chunk_id_hint = quote.chunk
    row.place_in_file = quote.place_in_file[:300]  # masking makes it longer


def quote_of(row: Citation) -> CheckedQuote:
    """What the row keeps of the quote."""
    values = {name: getattr(row, name) for name in KEPT}
    return CheckedQuote(n=row.n, chunk=row.chunk_id_hint, **values)


def store(citation: Citation, step: Step, log: Callable[[CitationChecked], None]) -> None:
    """Write the row and its event together; the event first, as `log` raises when the turn is not ours."""
    with transaction.atomic():
        _forget_deleted(citation)
        log(_event(citation, step))
        citation.save()


def _forget_deleted(citation: Citation) -> None:
    """Keep only the quote if the document was purged meanwhile; otherwise lock it until the commit."""
    if citation.document_id is None:
        return
    locked = Document.objects.select_for_update(no_key=True).filter(pk=citation.document_id)
    if not list(locked.values_list("pk")):
        citation.document, citation.before, citation.after, citation.place_in_file = None, "", "", ""
        citation.checks, citation.judge = [], {}
        citation.reason = citation.reason and DOCUMENT_DELETED


def _event(citation: Citation, step: Step) -> CitationChecked:
    return CitationChecked(
        n=citation.n,
        document=citation.document_id,
        title=citation.document_title,
        pages=citation.pages,
        quote=citation.quote or citation.written,
        start=citation.start,
        end=citation.end,
        on_page=citation.on_page,
        support=citation.support,
        confirmed_by=citation.confirmed_by,
        reader=citation.reader,
        reason=citation.reason,
        checks=citation.checks,
        judge=citation.judge,
        before=citation.before,
        after=citation.after,
        step=step,
    )


def revise(citation: Citation, step: Step, log: Callable[[CitationChecked], None]) -> None:
    """Store what a second opinion has changed. `log` raises when the turn is not ours."""
    with transaction.atomic():
        _forget_deleted(citation)
        log(_event(citation, step))
        citation.save(update_fields=["support", "confirmed_by", "reader", "reason", "judge"])
