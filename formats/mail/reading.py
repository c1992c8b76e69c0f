"""From a message to blocks: its heads as a table, the body that a reader sees, what is attached."""

import email
import email.message
import email.policy
from collections.abc import Iterator
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header
from itertools import islice
from urllib.parse import unquote

from formats.base.characters import clean_text, one_line
from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.embedded.pictures import Pictures
from formats.markup.parsing import decoded, parse_html
from formats.markup.walking import blocks_of as blocks_of_html
from formats.plain_text.decoding import WESTERN, decode, encoding_called
from formats.rendition.blocks import Block, Heading, Note, Paragraph
from formats.rendition.grid import table_of

HEADS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date")
DEEPEST = 20  # messages in messages
MOST_PARTS = 500
LONGEST_HEAD = 100_000  # characters
MOST_HEADS = 2_000  # of a part
LONGEST_TYPE = 2_000  # of a head that says what a part is, which takes long to read
TOO_MANY = Note(text=f"Only the first {MOST_PARTS} parts of this message are read.", label="Parts:")
TOO_DEEP = Note(text=f"Parts in more than {DEEPEST} others are not read.", label="Parts:")
TOLD = ("text/html", "text/plain")  # other kinds of text are for programs
ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")

Message = email.message.Message


def message_of(content: bytes) -> Message:
    """Raises ExtractionError for what has neither heads nor a body."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if content.startswith(mark):
            content = content.decode(encoding, "replace").encode()
    if content[1:2] == b"\0" or content[:1] == b"\0":
        content = decode(content).encode()
    try:
        message = email.message_from_bytes(content.lstrip(), policy=email.policy.compat32)
        for part in message.walk():
            _read_heads(part)
    except (ValueError, RecursionError, LookupError):
        raise ExtractionError("corrupt") from None
    if not message.keys():
        raise ExtractionError(
            "corrupt", gettext_noop("This file is named like a message but has no sender or subject.")
        )
    return message


def _read_heads(part: Message) -> None:
    """Heads that older programs write are not encoded in ASCII; those that never end are cut."""
    heads = [(name, str(value)) for name, value in part.raw_items()]
    if all(value.isascii() and len(value) <= LONGEST_TYPE for _, value in heads):
        return
    if len(heads) > MOST_HEADS:
        raise too_large("A part of this message has more than {n} heads.", n=MOST_HEADS)
    encoding = encoding_called(part.get_content_charset() or "")
    for name, _ in heads:
        del part[name]
    for name, value in heads:
        longest = LONGEST_TYPE if name.lower().startswith("content-") else LONGEST_HEAD
        written = value[:longest]
        if not written.isascii():
            written = _head_text(written.encode("utf-8", "surrogateescape"), encoding)
        part[name] = f"{written} …" if len(value) > longest == LONGEST_HEAD else written


def _head_text(content: bytes, encoding: str) -> str:
    """encoding: of the body, which counts where it is no UTF-8; a head is too short to guess one."""
    for each in ("utf-8", encoding):
        with suppress(UnicodeError):
            if each:
                return content.decode(each)
    return content.decode(WESTERN, "replace")


def subject_of(message: Message) -> str:
    return head_of(message, "Subject")


def blocks_of(message: Message) -> Iterator[Block]:
    """Raises ExtractionError."""
    yield from _message(message, 1)


def _message(message: Message, level: int) -> Iterator[Block]:
    if subject := subject_of(message):
        yield Heading(text=subject, level=level)
    rows = [[name, value] for name in HEADS if (value := head_of(message, name))]
    if rows:
        yield table_of(rows)
    parts = parts_of(message)
    pictures = {content_id(part): part for part in parts if part.get_content_maintype() == "image"}
    body = body_of(message, parts)
    if body is None and message.get_content_type() in ENCRYPTED:
        raise ExtractionError(
            "encrypted",
            gettext_noop("This message is encrypted, so its text could not be read."),
            gettext_noop("Open it in the program that has the key, save it without encryption and add that."),
        )
    if body is not None:
        yield from _blocks_of_part(body, pictures)
    for part in rest_of(message, body, parts):
        if part.get_content_type() == "message/rfc822":
            inner = inner_message(part)
            if level == DEEPEST:
                yield TOO_DEEP
            elif inner is not None:
                yield from _message(inner, level + 1)
        elif part.get_content_type() in TOLD and not filename_of(part):
            if part.get_content_type() != "text/html" or _has_words(part):
                yield from _blocks_of_part(part, pictures)
        elif name := filename_of(part) or (part.get_content_maintype() == "text" and part.get_content_type()):
            size = len(content_of(part))
            yield Note(text=f"{name}, {size:,} bytes", label="Attached:")
    yield from _left_out(message)


def _left_out(message: Message) -> Iterator[Note]:
    leaves = list(islice(_leaves(message, 0), MOST_PARTS + 1))
    if len(leaves) > MOST_PARTS:
        yield TOO_MANY
    if any(leaf.get_content_maintype() == "multipart" and leaf.is_multipart() for leaf in leaves):
        yield TOO_DEEP


def rest_of(message: Message, body: Message | None, parts: list[Message]) -> Iterator[Message]:
    """What is neither the body nor another form of it."""
    said = [body, *_alternatives(message, body)]
    return (part for part in parts if not any(part is each for each in said))


def inner_message(part: Message) -> Message | None:
    """The message that a part of the type message/rfc822 holds."""
    inner = part.get_payload()
    return inner[0] if isinstance(inner, list) and inner and isinstance(inner[0], Message) else None


def head_of(message: Message, name: str) -> str:
    """A head with its words decoded; "" where there is none."""
    value = message.get(name)
    if value is None:
        return ""
    words = []
    try:
        for piece, charset in decode_header(str(value)):
            words.append(_text(piece, charset) if isinstance(piece, bytes) else piece)
    except (ValueError, LookupError, MessageError):
        words = [str(value)]
    return one_line("".join(words))


def filename_of(part: Message) -> str:
    try:
        name = part.get_filename() or ""
        pieces = [_text(p, c) if isinstance(p, bytes) else p for p, c in decode_header(name)]
    except (ValueError, LookupError, TypeError, MessageError):
        return ""
    return one_line("".join(pieces))


def content_id(part: Message) -> str:
    """By which the HTML beside it shows a picture, in small letters; "" where it has none."""
    return unquote(str(part.get("Content-ID") or "")).strip("<> ").lower()


def parts_of(message: Message) -> list[Message]:
    return list(islice(_leaves(message, 0), MOST_PARTS))


def _leaves(message: Message, depth: int) -> Iterator[Message]:
    """The parts that hold something, in order; a message in a message is one."""
    if message.get_content_type() == "message/rfc822" and depth:
        yield message
    elif message.is_multipart() and depth < DEEPEST:
        for part in message.get_payload():
            if isinstance(part, Message):
                yield from _leaves(part, depth + 1)
    else:
        yield message


def body_of(message: Message, parts: list[Message]) -> Message | None:
    """The part that is the message itself: in HTML where there are both."""
    own = [
        part
        for part in parts
        if part.get_content_disposition() != "attachment"
        and part.get_content_type() in TOLD
        and content_of(part).strip()
    ]
    html = [part for part in own if part.get_content_type() == "text/html"]
    first_text = next((part for part in own if part.get_content_type() == "text/plain"), None)
    return html[0] if html and _has_words(html[0]) else first_text


def _has_words(part: Message) -> bool:
    try:
        return bool(parse_html(text_of(part)).text_content().strip())
    except ExtractionError:
        return False


def _alternatives(message: Message, body: Message | None, depth: int = 0) -> list[Message]:
    """The plain texts that say the same as the body: those of the multipart/alternative that it stands in."""
    if not message.is_multipart() or depth >= DEEPEST:
        return []
    if message.get_content_type() == "multipart/alternative":
        leaves = list(_leaves(message, depth))
        if any(part is body for part in leaves):
            return [
                part
                for part in leaves
                if part.get_content_type() == "text/plain" and part.get_content_disposition() != "attachment"
            ]
    inner = [part for part in message.get_payload() if isinstance(part, Message)]
    return [same for part in inner for same in _alternatives(part, body, depth + 1)]


def _blocks_of_part(part: Message, pictures: dict[str, Message]) -> Iterator[Block]:
    text = text_of(part)
    if part.get_content_type() == "text/html":

        def picture_of(address: str) -> bytes | None:
            scheme, _, name = unquote(address).lower().partition(":")
            found = pictures.get(name) if scheme == "cid" else None
            return content_of(found) if found is not None else None

        yield from blocks_of_html(parse_html(text), Pictures(), picture_of)
        return
    for paragraph in clean_text(text).replace("\r", "").split("\n\n"):
        lines = [" ".join(line.split()) for line in paragraph.split("\n")]
        if words := "\n".join(lines).strip("\n"):
            yield Paragraph(text=words)


def text_of(part: Message) -> str:
    content = content_of(part)
    charset = part.get_content_charset()
    if charset:
        return _text(content, charset)
    return decoded(content) if part.get_content_type() == "text/html" else decode(content)


def _text(content: bytes, charset: str | None) -> str:
    if charset and (encoding := encoding_called(charset)):
        with suppress(UnicodeError):
            return content.decode(encoding)
    try:
        return decode(content)
    except ExtractionError:
        return content.decode("latin-1")


def content_of(part: Message) -> bytes:
    try:
        content = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError, MessageError):
        return b""
    return content if isinstance(content, bytes) else b""
