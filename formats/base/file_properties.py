"""What a file says of itself: its title, who wrote it and when; of a mail its subject, sender and recipients.

The program in the sandbox sends what it has found as it is; here it is cleaned and bounded, and what makes no
sense is dropped. Nothing here makes a file fail.
"""

from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from formats.base.characters import visible_name
from text.normal_forms.letter_forms import USUAL_FORMS

MOST_SENT = 4_000  # characters of a value that are looked at
LONGEST = 500  # characters of a value that is kept
MOST_RECIPIENTS = 50
EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)  # before it are the days from which programs count
CLOCKS_DIFFER = timedelta(days=2)
MOMENTS = ("created", "modified", "sent")
# What programs write where nobody has said who wrote it.
NO_AUTHORS = {
    "anonymous",
    "unknown",
    "unspecified",
    "python-docx",
    "python-pptx",
    "openpyxl",
    "author",
    "none",
}
# When the templates of python-docx and python-pptx were made, which are in every file that these make.
OF_TEMPLATES = {"2013-12-23T23:15:00+00:00", "2013-01-27T09:14:16+00:00", "2012-11-17T11:07:40+00:00"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProperties:
    """Each is empty where the file says nothing. created, modified, sent: ISO 8601, as far as it is told: a
    day, or a time with or without its distance from UTC.
    """

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    subject: str = ""
    sender: str = ""
    recipients: tuple[str, ...] = ()
    sent: str = ""

    @classmethod
    def from_sandbox(cls, told: Any) -> Self:
        """Of what a program has sent, which may be anything."""
        told = told if isinstance(told, dict) else {}
        values: dict[str, Any] = {each.name: _text(told.get(each.name)) for each in fields(cls)}
        values |= {name: moment_of(told.get(name)) for name in MOMENTS}
        recipients = told.get("recipients")
        some = recipients[:MOST_RECIPIENTS] if isinstance(recipients, list) else []
        values["recipients"] = tuple(filter(None, map(_text, some)))
        if values["author"].casefold().strip("()") in NO_AUTHORS:
            values["author"] = ""
        return cls(**values)

    def as_json(self) -> dict[str, Any]:
        """Without what is empty."""
        values = asdict(self) | {"recipients": list(self.recipients)}
        return {name: value for name, value in values.items() if value}


NOTHING_TOLD = FileProperties()


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    return visible_name(value[:MOST_SENT].translate(USUAL_FORMS))[:LONGEST].strip()


def moment_of(value: object) -> str:
    """A day or a time that a file can be from; "" for all else."""
    written = _text(value)
    try:
        moment = datetime.fromisoformat(written)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if not EARLIEST <= aware <= datetime.now(UTC) + CLOCKS_DIFFER:
            return ""
    except (ValueError, OverflowError):
        return ""
    is_day = "T" not in written and ":" not in written
    told = moment.date().isoformat() if is_day else moment.isoformat(timespec="seconds")
    return "" if told in OF_TEMPLATES else told
