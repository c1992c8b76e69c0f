"""Messages as formats: as mail programs send them, and as Outlook saves them."""

import re
from dataclasses import dataclass
from pathlib import Path

from formats.embedded.recognition import has_stream
from formats.rendition.container import ContainerFormat

# Heads that only messages begin with, and two heads in a row. Possessive: a stranger's file could keep it
# busy for ever otherwise.
_MESSAGE = re.compile(
    rb"\s*(Return-Path|Received|Delivered-To|MIME-Version|Message-ID|X-[\w-]+|DKIM-Signature|Date|From|To|Subject)"
    rb":[^\n]*+(\n[ \t][^\n]*+)*+\n([\w-]+:[^\n]*+(\n[ \t][^\n]*+)*+\n)++",
    re.IGNORECASE,
)
_NEEDED = re.compile(rb"^(From|Date|Message-ID|Received):", re.IGNORECASE | re.MULTILINE)


# Or behind the line with which it begins in a mailbox.
_HEAD = re.compile(rb"\s*(From [^\n]*\n)?[!-9;-~]+:[^\n]*\n")


def begins_with_head(start: bytes) -> bool:
    """Whether a text that is named like a message may be one."""
    return bool(_HEAD.match(start.removeprefix(b"\xef\xbb\xbf")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail(ContainerFormat):
    def sniff(self, start: bytes) -> bool:
        if start.startswith((b"\xff\xfe", b"\xfe\xff")):
            start = start.replace(b"\0", b"")[2:]
        return bool(_MESSAGE.match(start.removeprefix(b"\xef\xbb\xbf"))) and bool(_NEEDED.search(start))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook(Mail):
    def sniff(self, start: bytes) -> bool:
        return has_stream(start, "__properties_version1.0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mailbox(Mail):
    def sniff(self, start: bytes) -> bool:
        """Not by its content: a single message may begin in the same way."""
        return False


MAIL = Mail(
    label="e-mail",
    mime="message/rfc822",
    suffixes=(".eml",),
    program=Path(__file__).with_name("child_process.py"),
)
OUTLOOK = Outlook(
    label="Outlook",
    mime="application/vnd.ms-outlook",
    suffixes=(".msg",),
    program=Path(__file__).with_name("child_process.py"),
)
MAILBOX = Mailbox(
    label="mailbox",
    mime="application/mbox",
    suffixes=(".mbox",),
    names_pages=True,
    most_files=500,
    program=Path(__file__).with_name("mailbox_process.py"),
)
