"""What a document's file says of itself, in words for people."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from datasources.models import Document
from formats.base.file_properties import MOMENTS
from localization.numbers import numeral

LABELS = {
    "subject": gettext_lazy("Subject"),
    "title": gettext_lazy("Title"),
    "author": gettext_lazy("Author"),
    "sender": pgettext_lazy("person", "From"),
    "recipients": pgettext_lazy("person", "To"),
    "sent": gettext_lazy("Sent"),
    "created": gettext_lazy("Created"),
    "modified": pgettext_lazy("when a file was changed", "Changed"),
}
MOST_RECIPIENTS = 10  # more are told by their number


def from_file(document: Document) -> list[tuple[str, str]]:
    """Its name where the document has another one, then label and value of each property that there is."""
    told = document.file_properties
    rows = [(_("File"), document.filename)] if document.is_renamed and document.file else []
    for name, label in LABELS.items():
        if value := told.get(name):
            rows.append((str(label), _people(value) if name == "recipients" else _in_words(name, value)))
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
    return _("{names} and {n} more").format(names=shown, n=numeral(more)) if more > 0 else shown
