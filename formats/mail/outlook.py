"""From a message in Outlook's own format (MSG) to the same message as mail programs send it. In the sandbox.

All that is told of a message is then told of it as of any other: heads, body, what is attached.
"""

import email.message
import email.policy
import struct
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, formataddr
from io import BytesIO

import olefile

from formats.base.characters import one_line
from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.base.values import MEGABYTE
from formats.mail.compressed_rtf import decompressed
from formats.mail.reading import DEEPEST, HEADS, Message, message_of
from formats.mail.rtf import html_or_text
from formats.plain_text.decoding import WESTERN, encoding_called

# Properties of messages, recipients and attached files ([MS-OXPROPS]), by their numbers.
MESSAGE_CLASS, SUBJECT, HEADERS, SUBMITTED, DELIVERED = 0x001A, 0x0037, 0x007D, 0x0039, 0x0E06
SENDERS = ((0x0042, (0x5D02, 0x0065)), (0x0C1A, (0x5D01, 0x0C1F)))  # names and addresses, the best first
SHOWN_AS = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
TEXT, RTF, HTML, PAGE_OF_HTML = 0x1000, 0x1009, 0x1013, 0x3FDE
PAGES = (0x3FFD, PAGE_OF_HTML)  # of texts that are not in Unicode, the best first
RECIPIENT_NAME, RECIPIENT_ADDRESSES, RECIPIENT_KIND = 0x3001, (0x39FE, 0x3003), 0x0C15
KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
CONTENT, FILENAMES, MIME, CONTENT_ID, IS_HIDDEN = 0x3701, (0x3707, 0x3704, 0x3001), 0x370E, 0x3712, 0x7FFE
# What HTML is written in by its code page, and the texts beside it.
ENCODINGS = {
    65001: ("utf-8", "utf-8"),
    50220: ("iso2022_jp", "cp932"),
    50221: ("iso2022_jp", "cp932"),
    50222: ("iso2022_jp", "cp932"),
    51932: ("euc_jp", "cp932"),
    50225: ("iso2022_kr", "cp949"),
    51949: ("euc_kr", "cp949"),
    54936: ("gb18030", "gb18030"),
    20866: ("koi8_r", "cp1251"),
    20127: ("cp1252", "cp1252"),
    28591: ("cp1252", "cp1252"),
    28592: ("iso8859_2", "cp1250"),
    28595: ("iso8859_5", "cp1251"),
    28597: ("iso8859_7", "cp1253"),
    28599: ("cp1254", "cp1254"),
}
UNICODE, BYTES_OF_TEXT, BINARY, STORAGE = 0x001F, 0x001E, 0x0102, 0x000D
NUMBERS = {0x0003: "<i", 0x000B: "<H", 0x0040: "<q"}
FIXED = "__properties_version1.0"
MOST_RECIPIENTS, MOST_ATTACHED = 2_000, 500
LARGEST = 256 * MEGABYTE  # of what is in one file, read as often as it is named there
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
DAMAGED = (OSError, ValueError, IndexError, KeyError, struct.error, RecursionError, OverflowError, TypeError)
Place = tuple[str, ...]


def message_of_outlook(content: bytes) -> Message:
    """Raises ExtractionError."""
    try:
        with olefile.OleFileIO(BytesIO(content)) as ole:
            found = _Storage(_File(ole), ()).message(1)
    except DAMAGED:
        raise ExtractionError("corrupt") from None
    if not found.keys():
        raise ExtractionError(
            "corrupt", gettext_noop("This file is named like a message but has no sender or subject.")
        )
    return found


class _File:
    """The streams of the file, in all no more than so many bytes of them."""

    def __init__(self, ole: olefile.OleFileIO) -> None:
        self._ole, self._left = ole, LARGEST
        self.names: dict[Place, list[str]] = {}  # of what is in each storage
        for *place, name in ole.listdir(streams=True, storages=True):
            self.names.setdefault(tuple(place), []).append(name)
        self._known = {(*place, name) for place, names in self.names.items() for name in names}

    def __contains__(self, place: Place) -> bool:
        return place in self._known

    def read(self, place: Place) -> bytes:
        size = self._ole.get_size("/".join(place))
        self._left -= size
        if self._left < 0:
            raise too_large("This file has more than {n} MB in it.", n=LARGEST // MEGABYTE)
        with self._ole.openstream("/".join(place)) as stream:
            return bytes(stream.read())


class _Storage:
    """A message in the file, one of its recipients or attached files."""

    def __init__(self, file: _File, place: Place, page: str = WESTERN) -> None:
        self.file, self.place = file, place
        self.numbers = self._numbers()
        self.page = _encodings(self.numbers.get(PAGES[0]) or self.numbers.get(PAGES[1]), page)[1]

    def _numbers(self) -> dict[int, int]:
        """Properties whose values have a fixed size: numbers, truths and times."""
        place = (*self.place, FIXED)
        if place not in self.file:
            return {}
        content = self.file.read(place)
        last = self.place[-1] if self.place else ""
        head = 32 if not self.place else 8 if last.startswith(("__recip", "__attach")) else 24
        values = {}
        for start in range(head, len(content) - 15, 16):
            kind, number = struct.unpack_from("<HH", content, start)
            if kind in NUMBERS:
                (values[number],) = struct.unpack_from(NUMBERS[kind], content, start + 8)
        return values

    def _stream(self, number: int, kind: int) -> Place:
        return (*self.place, f"__substg1.0_{number:04X}{kind:04X}")

    def text(self, number: int) -> str:
        if (place := self._stream(number, UNICODE)) in self.file:
            return self.file.read(place).decode("utf-16-le", "replace").rstrip("\0")
        if (place := self._stream(number, BYTES_OF_TEXT)) in self.file:
            return self.file.read(place).decode(self.page, "replace").rstrip("\0")
        return ""

    def line(self, *numbers: int) -> str:
        """The first that says something."""
        return next(filter(None, (one_line(self.text(number)) for number in numbers)), "")

    def content(self, number: int) -> bytes:
        place = self._stream(number, BINARY)
        return self.file.read(place) if place in self.file else b""

    def inner(self, beginning: str, most: int) -> "list[_Storage]":
        """The recipients or attached files, in their order."""
        names = sorted(name for name in self.file.names.get(self.place, ()) if name.startswith(beginning))
        return [_Storage(self.file, (*self.place, name), self.page) for name in names[:most]]

    def message(self, depth: int) -> Message:
        made = Message(policy=email.policy.compat32)
        for name, value in self._heads():
            made[name] = value
        attached = self.inner("__attach", MOST_ATTACHED)
        if self.line(MESSAGE_CLASS).upper().startswith("IPM.NOTE.SMIME") and attached:
            sealed = _opened(attached[0].content(CONTENT))
            made["Content-Type"] = sealed["Content-Type"] or "application/pkcs7-mime"
            made.set_payload(sealed.get_payload())
            return made
        made["Content-Type"] = "multipart/mixed"
        made.set_payload([])
        for part in (*self._bodies(), *(part for each in attached for part in each.parts(depth))):
            made.attach(part)
        return made

    def _heads(self) -> Iterator[tuple[str, str]]:
        """As they were sent, where the file has that; else as Outlook shows them."""
        sent = email.message_from_string(self.text(HEADERS), policy=email.policy.compat32)
        told = {name: one_line(str(sent[name])) for name in HEADS if sent[name]}
        people = {kind: ", ".join(found) for kind, found in self._recipients().items()}
        told.setdefault("From", self._sender())
        for name, number in SHOWN_AS.items():
            told.setdefault(name, people.get(name) or self.line(number))
        told.setdefault("Date", self._date())
        told["Subject"] = self.line(SUBJECT)
        return ((name, value) for name, value in told.items() if value)

    def _sender(self) -> str:
        people = (_person(self.line(name), self.line(*addresses)) for name, addresses in SENDERS)
        return next(filter(None, people), "")

    def _recipients(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for each in self.inner("__recip", MOST_RECIPIENTS):
            kind = KINDS.get(each.numbers.get(RECIPIENT_KIND, 1) & 0xFF, "To")
            if person := _person(each.line(RECIPIENT_NAME), each.line(*RECIPIENT_ADDRESSES)):
                found.setdefault(kind, []).append(person)
        return found

    def _date(self) -> str:
        ticks = self.numbers.get(SUBMITTED) or self.numbers.get(DELIVERED) or 0
        with suppress(OverflowError):
            return format_datetime(EPOCH + timedelta(microseconds=ticks // 10)) if ticks > 0 else ""
        return ""

    def _bodies(self) -> Iterator[Message]:
        """The HTML, or else the text; where both are only in the RTF, what that was made of."""
        text, html = self.text(TEXT), self._html()
        if not html and (packed := self.content(RTF)):
            said, is_html = "", False
            with suppress(ExtractionError):
                said, is_html = html_or_text(decompressed(packed))
            html, text = (said, text) if is_html else ("", text if text.strip() else said)
        if html and html.strip():
            yield _part("text/html", html.encode(), charset="utf-8")
        elif text.strip():
            yield _part("text/plain", text.encode("utf-8", "replace"), charset="utf-8")

    def _html(self) -> str:
        if content := self.content(HTML):
            return content.decode(_encodings(self.numbers.get(PAGE_OF_HTML), self.page)[0], "replace")
        return self.text(HTML)

    def parts(self, depth: int) -> Iterator[Message]:
        """Of an attached file: it, or the message that it is."""
        inner = self._stream(CONTENT, STORAGE)
        if (*inner, FIXED) in self.file:
            if depth < DEEPEST:
                yield _forwarded(_Storage(self.file, inner, self.page).message(depth + 1))
            return
        mime, content = self.line(MIME).lower(), self.content(CONTENT)
        if mime == "message/rfc822":
            with suppress(ExtractionError):
                yield _forwarded(message_of(content))
                return
            mime = ""  # a file, whatever it calls itself
        part = _part(mime if mime.count("/") == 1 and "multipart" not in mime else "", content)
        name, shown = self.line(*FILENAMES), self.line(CONTENT_ID)
        if shown:
            part["Content-ID"] = f"<{shown}>"
        is_picture = bool(shown) or bool(self.numbers.get(IS_HIDDEN))
        how = "inline" if is_picture else "attachment"
        part.add_header("Content-Disposition", how, **({"filename": ("utf-8", "", name)} if name else {}))
        yield part


def _forwarded(message: Message) -> Message:
    part = Message(policy=email.policy.compat32)
    part["Content-Type"] = "message/rfc822"
    part.set_payload([message])
    return part


def _part(mime: str, content: bytes, *, charset: str = "") -> Message:
    part = Message(policy=email.policy.compat32)
    told = {"charset": charset} if charset else {}
    part.add_header("Content-Type", mime or "application/octet-stream", **told)
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(b64encode(content).decode())
    return part


def _opened(content: bytes) -> Message:
    """The message in a signed or encrypted one."""
    return email.message_from_bytes(content, policy=email.policy.compat32)


def _person(name: str, address: str) -> str:
    """Addresses within a company (“/O=…/CN=…”) are of no use to people."""
    address = address if "@" in address else ""
    if name == address or not address:
        return name or address
    return formataddr((name, address), charset="utf-8") if name.isascii() else f'"{name}" <{address}>'


def _encodings(page: int | None, otherwise: str) -> tuple[str, str]:
    """Of HTML and of other texts, by a code page of Windows."""
    found = encoding_called(f"cp{page}") or otherwise
    return ENCODINGS.get(page or 0, (found, found))
