"""Which kinds of files can be added, for the middle of a sentence, in the language of whoever reads it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from formats.registry import FORMATS
from localization.lists import joined

PASSAGES_SUFFIX = ".jsonl"
# Those of the formats' labels that are words; all others are names.
WORDS = (
    gettext_noop("e-mail"),
    gettext_noop("mailbox"),
    gettext_noop("notebook"),
    gettext_noop("plain text"),
    gettext_noop("transcript"),
    gettext_noop("web archive"),
)


def readable() -> str:
    """What `formats.registry.describe_formats` says in English."""
    *names, last = [_(form.label) for form in FORMATS if form.is_read]
    return _("{names} and {last} files").format(names=joined(names), last=last)


def uploadable() -> str:
    return _("{formats}, and {suffix} files of ready passages").format(
        formats=readable(), suffix=PASSAGES_SUFFIX
    )
