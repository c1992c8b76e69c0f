"""What a document's file says of itself, in words for people."""

from datetime import datetime

from django.utils import timezone
from django.utils.dateformat import format as date_format

from datasources.models import Document
from formats.base.file_properties import MOMENTS

LABELS = {
    "subject": "Subject",
    "title": "Title",
    "author": "Author",
    "sender": "From",
    "recipients": "To",
    "sent": "Sent",
    "created": "Created",
    "modified": "Changed",
}
MOST_RECIPIENTS = 10  # more are told by their number


def from_file(document: Document) -> list[tuple[str, str]]:
    """Its name where the document has another one, then label and value of each property that there is."""
    told = document.file_properties
    rows = [("File", document.filename)] if document.is_renamed and document.file else []
    for name, label in LABELS.items():
        if value := told.get(name):
            rows.append((label, _people(value) if name == "recipients" else _in_words(name, value)))
    return rows


def _in_words(name: str, value: str) -> str:
    return moment_in_words(value) if name in MOMENTS else value


def moment_in_words(written: str) -> str:
    """A day, or a time: that of this server where the file tells how far its own is from UTC."""
    moment = datetime.fromisoformat(written)
    if "T" not in written:
        return date_format(moment, "j F Y")
    return date_format(timezone.localtime(moment) if moment.tzinfo else moment, "j F Y, H:i")


def _people(recipients: list[str]) -> str:
    more = len(recipients) - MOST_RECIPIENTS
    shown = ", ".join(recipients[:MOST_RECIPIENTS])
    return f"{shown} and {more:,} more" if more > 0 else shown
