"""A mailbox (mbox): its messages one after the other, each on pages that are called by it. In the sandbox."""

import email.policy
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.base.values import MEGABYTE
from formats.mail.properties import properties_of
from formats.mail.reading import Message, blocks_of, message_of
from formats.rendition.blocks import Address, Block, Note

MOST_MESSAGES = 5_000
LARGEST_MESSAGE = 128 * MEGABYTE
LONGEST_NAME = 120  # characters of what pages are called
# The line that begins a message (sender, weekday, month, time and year, in the order of any program) and a
# head behind it.
_BEGINS = re.compile(
    rb"From (?=[^\n]*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b)"
    rb"(?=[^\n]*\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b)"
    rb"(?=[^\n]* \d\d?:\d\d)(?=[^\n]* (?:19|20)\d\d\b)[^\n]*\n[!-9;-~]+:"
)
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)  # a line that would begin a message otherwise


def messages_of(path: Path) -> Iterator[Message]:
    """One at a time: a mailbox may be larger than the memory. What cannot be read as a message is one without
    heads. Raises ExtractionError.
    """
    in_front: Message | None = None  # words before the first message
    for count, content in enumerate(_parts(path), start=1):
        if count > MOST_MESSAGES:
            raise too_large(
                "This mailbox has more than {n} messages.",
                n=MOST_MESSAGES,
                hint=gettext_noop("Export it in parts, such as a folder or a year at a time."),
            )
        try:
            message = message_of(_QUOTED.sub(rb"\1", content))
        except ExtractionError:
            message = _words(content)
            if count == 1:
                in_front = message
                continue
        if in_front is not None:
            yield in_front
            in_front = None
        yield message


def _words(content: bytes) -> Message:
    made = Message(policy=email.policy.compat32)
    made.set_payload(content.decode("ascii", "surrogateescape"))
    return made


def mailbox_blocks(path: Path) -> Iterator[Block]:
    """Raises ExtractionError."""
    count = 0
    for count, message in enumerate(messages_of(path), start=1):
        yield Address(text=name_of(message, count))
        try:
            yield from blocks_of(message)
        except ExtractionError as error:
            yield Note(text=error.message, label="This message was not read:")
    if not count:
        raise ExtractionError(
            "corrupt", gettext_noop("This file is named like a mailbox but has no message.")
        )


def name_of(message: Message, number: int) -> str:
    """“Ann Lee, 5 March 2026: Lease”."""
    told = properties_of(message)
    sender = told["sender"].partition(" <")[0].strip('"')
    subject = told["subject"] or "no subject"
    whence = ", ".join(filter(None, (sender, _day(told["sent"])))) or f"Message {number}"
    return f"{whence}: {subject}"[:LONGEST_NAME]


def _day(sent: str) -> str:
    try:
        moment = datetime.fromisoformat(sent)
    except ValueError:
        return ""
    return f"{moment.day} {moment:%B} {moment.year}"


def _parts(path: Path) -> Iterator[bytes]:
    """What stands between the lines that begin messages, which follow an empty line."""
    lines: list[bytes] = []
    size = 0
    with path.open("rb") as file:
        for line in file:
            is_apart = len(lines) < 2 or not lines[-2].strip()
            if lines and is_apart and _BEGINS.match(lines[-1] + line):
                if content := b"".join(lines[:-1]).strip():
                    yield content
                lines, size = [], 0
            if size > LARGEST_MESSAGE:
                raise too_large(
                    "A message in this mailbox has more than {n} MB.", n=LARGEST_MESSAGE // MEGABYTE
                )
            lines.append(line)
            size += len(line)
    if content := b"".join(lines).strip():
        yield content
