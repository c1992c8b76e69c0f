"""A mailbox (mbox): its messages one after the other, each on pages that are called by it. In the sandbox."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from formats.base.errors import ExtractionError
from formats.base.values import MEGABYTE
from formats.mail.properties import properties_of
from formats.mail.reading import Message, blocks_of, message_of
from formats.rendition.blocks import Address, Block, Note

MOST_MESSAGES = 5_000
LARGEST_MESSAGE = 128 * MEGABYTE
LONGEST_NAME = 120  # characters of what pages are called
_BEGINS = re.compile(rb"From [^\n]*\n")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)  # a line that would begin a message otherwise


def messages_of(path: Path) -> Iterator[Message]:
    """One at a time: a mailbox may be larger than the memory. Raises ExtractionError."""
    count = 0
    for content in _parts(path):
        try:
            message = message_of(_QUOTED.sub(rb"\1", content))
        except ExtractionError:
            continue  # words that stand between two messages
        count += 1
        if count > MOST_MESSAGES:
            raise ExtractionError(
                "too_large",
                f"This mailbox has more than {MOST_MESSAGES:,} messages.",
                "Export it in parts, such as a folder or a year at a time.",
            )
        yield message


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
        raise ExtractionError("corrupt", "This file is named like a mailbox but has no message.")


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
    size, is_apart = 0, True
    with path.open("rb") as file:
        for line in file:
            if is_apart and _BEGINS.match(line):
                if lines:
                    yield b"".join(lines)
                lines, size = [], 0
            elif size <= LARGEST_MESSAGE:
                lines.append(line)
                size += len(line)
            else:
                raise ExtractionError(
                    "too_large", f"A message in this mailbox has more than {LARGEST_MESSAGE // MEGABYTE} MB."
                )
            is_apart = not line.strip()
    if lines:
        yield b"".join(lines)
