"""A folder of mails on an IMAP server (RFC 3501). Each mail is a file, which never changes."""

import base64
import imaplib
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, BinaryIO
from urllib.parse import unquote, urlsplit

from connectors.sources.line import Line, TooSlow
from connectors.sources.source import Entry, FileRefused, SourceError, too_large
from connectors.sources.web import FILE_SECONDS, LIST_SECONDS, UNREACHABLE
from datasources.storage.errors import is_full
from formats.base.errors import ExtractionError
from formats.mail.reading import head_of, message_of
from providers.connections.services import owners_may
from providers.http.clients import tls
from providers.http.public_addresses import NOT_PUBLIC
from providers.http.special_addresses import is_public

PORTS = {"imap": 143, "imaps": 993}
WAIT = 60.0  # seconds for the next bytes
TRY_SECONDS = 12.0  # while a person waits for it
LISTED = 500  # mails in one answer
BLOCK = 2**20  # bytes of a mail in one answer
LARGEST = 4 * 2**20  # bytes of all that a server tells in answer to a command
LONGEST_NUMBER = 10  # digits of a UID
SUBJECT = 1_000  # bytes of a header that are read
LONGEST_SUBJECT = 120  # characters of it in a file's name
TOLD = f"(UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (SUBJECT)]<0.{SUBJECT}>)"
_UID, _SIZE = re.compile(rb"\bUID (\d{1,10})\b"), re.compile(rb"\bRFC822\.SIZE (\d{1,18})\b")
_DELETED = re.compile(rb"FLAGS \([^)]*\\Deleted", re.IGNORECASE)
_UNFIT = re.compile(r"[\x00-\x1f\x7f/\\]+")  # for the name of a file


class MailSource:
    """place: imaps://server/Folder; with imap:// the connection is encrypted by STARTTLS before the password
    is sent. Without a folder INBOX is meant.
    """

    def __init__(self, place: str, user_name: str, secret: str, should_stop: Callable[[], bool]) -> None:
        parts = urlsplit(place)
        self._host, self._port = str(parts.hostname), parts.port or PORTS[parts.scheme]
        self._is_tls = parts.scheme == "imaps"
        self._folder = unquote(parts.path).strip("/") or "INBOX"
        self._user_name, self._secret = user_name, secret
        self._wait = WAIT
        self._line = Line(should_stop)
        self._mail: _Connection | None = None

    def try_it(self) -> None:
        """Sign in and open the folder, for somebody who waits for it. Raises SourceError."""
        self._wait = TRY_SECONDS / 2
        with self._asking(TRY_SECONDS):
            pass

    def entries(self) -> Iterator[Entry]:
        """Without those that are marked as deleted: they go when the person's program tidies up. By lasting
        numbers (UID), as the others shift while mails are deleted.
        """
        numbers = self._numbers()
        for first in range(0, len(numbers), LISTED):
            these = numbers[first : first + LISTED]
            told = self._told(these)
            missing = {*these} - told.keys()
            if missing and missing & {*self._numbers()}:  # else they were deleted meanwhile
                raise SourceError(UNREACHABLE, "The server lists mails of which it tells nothing.")
            yield from (entry for entry in told.values() if entry is not None)

    def _numbers(self) -> list[str]:
        with self._asking(LIST_SECONDS) as mail:
            rows = [row for row in mail.asked("SEARCH", "ALL") if row is not None]
            found = b" ".join(rows).split() if all(isinstance(row, bytes) for row in rows) else [b"?"]
            if not all(number.isdigit() and len(number) <= LONGEST_NUMBER for number in found):
                raise mail.error("these are no numbers")
        return list(dict.fromkeys(number.decode("ascii") for number in found))

    def _told(self, numbers: Sequence[str]) -> dict[str, Entry | None]:
        """By their numbers; None for those that are marked as deleted."""
        with self._asking(LIST_SECONDS) as mail:
            rows = list(_answers(mail.asked("FETCH", ",".join(numbers), TOLD)))
        found: dict[str, Entry | None] = {}
        for told, header in rows:
            uid, size = _UID.search(told), _SIZE.search(told)
            number = uid[1].decode() if uid else ""
            if number in numbers:
                found[number] = (
                    None
                    if _DELETED.search(told)
                    else Entry(
                        path=f"{_subject(header)} ({number}).eml",
                        version=f"{mail.validity}.{number}",
                        size=int(size[1]) if size else None,
                    )
                )
        return found

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> None:
        """Block by block: imaplib has all of an answer in memory."""
        number, size = entry.version.rpartition(".")[2], 0
        with self._asking(FILE_SECONDS) as mail:
            while True:
                rows = mail.asked("FETCH", number, f"(BODY.PEEK[]<{size}.{BLOCK}>)")
                blocks = [block for _, block in _answers(rows) if block is not None]
                if not blocks:
                    raise FileRefused("It is no longer there.")
                file.write(blocks[0])
                size += len(blocks[0])
                if size > most:
                    raise too_large(most)
                if len(blocks[0]) < BLOCK:
                    return

    def close(self) -> None:
        if self._mail is not None:
            with suppress(OSError):
                self._mail.shutdown()
            self._mail = None
        self._line.close()

    @contextmanager
    def _asking(self, seconds: float) -> Iterator["_Connection"]:
        try:
            with self._line.cut_after(seconds):
                if self._mail is None:
                    self._mail = self._connected()
                yield self._mail
        except TooSlow:
            raise SourceError("slow", "The server answers too slowly.") from None
        except TimeoutError:
            raise SourceError("timeout", "The server did not answer in time.") from None
        except (imaplib.IMAP4.error, OSError, ValueError) as error:
            if is_full(error):  # our own disk, which is no fault of the server's
                raise
            raise SourceError(UNREACHABLE, "The server broke off, or does not speak IMAP.") from None

    def _connected(self) -> "_Connection":
        """Signed in, with the folder open for reading alone. Raises SourceError."""
        with ExitStack() as unless_it_works:
            made = unless_it_works.enter_context(self._socket())
            self._line.hold(made)
            if self._is_tls:
                made = unless_it_works.enter_context(tls().wrap_socket(made, server_hostname=self._host))
            mail = _Connection(self._host, self._port, made)
            unless_it_works.callback(mail.shutdown)
            if not self._is_tls:
                self._encrypt(mail)
            self._sign_in(mail)
            if not mail.opens(_quoted(mailbox_name(self._folder))):
                raise SourceError("not_there", "The server has no such mail folder.")
            unless_it_works.pop_all()
            return mail

    def _socket(self) -> socket.socket:
        try:
            rows = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise SourceError(UNREACHABLE, f"No server with the name {self._host} is known.") from None
        addresses = [str(row[4][0]) for row in rows]
        if not owners_may().private_connectors and not all(map(is_public, addresses)):
            raise SourceError("private", NOT_PUBLIC)
        try:
            return socket.create_connection((addresses[0], self._port), self._wait)
        except TimeoutError:
            raise SourceError("timeout", "The server did not answer in time.") from None
        except OSError:
            said = f"Nothing accepts connections at {self._host}, port {self._port}."
            raise SourceError(UNREACHABLE, said) from None

    def _encrypt(self, mail: "_Connection") -> None:
        if "STARTTLS" in mail.capabilities:
            mail.starttls(tls())
        elif is_public(mail.sock.getpeername()[0]):
            raise SourceError(
                "unencrypted",
                "The server offers no encryption (STARTTLS), so the password was not sent.",
                "Give its address with imaps://.",
            )

    def _sign_in(self, mail: "_Connection") -> None:
        try:
            if "AUTH=PLAIN" in mail.capabilities:
                mail.authenticate("PLAIN", lambda _: f"\0{self._user_name}\0{self._secret}".encode())
            else:
                _quoted(self._secret)  # imaplib quotes it, and looks for no end of a line in it
                mail.login(_quoted(self._user_name), self._secret)
        except imaplib.IMAP4.abort:
            raise
        except (imaplib.IMAP4.error, UnicodeError):
            raise SourceError("refused", "The server refuses this name and password.") from None


class _Connection(imaplib.IMAP4):
    """validity: another one where the server has numbered the mails of the open folder anew."""

    def __init__(self, host: str, port: int, made: socket.socket) -> None:
        self._made = made
        self._taken = 0  # bytes since the last command
        self.validity = ""
        super().__init__(host, port)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        return self._made

    def read(self, size: int) -> bytes:
        self._take(size)
        return super().read(size)

    def readline(self) -> bytes:
        line = super().readline()
        self._take(len(line))
        return line

    def _take(self, size: int) -> None:
        """imaplib has all of an answer in memory."""
        self._taken += size
        if self._taken > LARGEST:
            raise self.abort("too much at once")

    def opens(self, folder: str) -> bool:
        """For reading alone."""
        state, _ = self.select(folder, readonly=True)
        _, told = self.response("UIDVALIDITY")
        self.validity = told[-1].decode("ascii")[:20] if told and told[-1] else ""
        return state == "OK"

    def asked(self, *command: str) -> list[Any]:
        """Raises imaplib.IMAP4.error where it refuses: half a list would look as if the rest were gone."""
        self._taken = 0
        state, rows = self.uid(*command)
        if state != "OK":
            raise self.error(state)
        return rows


def mailbox_name(name: str) -> str:
    """As IMAP writes it: other than ASCII in base64 of UTF-16 (RFC 3501, 5.1.3)."""

    def written(run: re.Match[str]) -> str:
        coded = base64.b64encode(run[0].encode("utf-16-be")).decode()
        return f"&{coded.rstrip('=').replace('/', ',')}-"

    return re.sub(r"[^ -~]+", written, name.replace("&", "&-"))


def _quoted(text: str) -> str:
    """Raises SourceError."""
    if not text.isprintable():
        raise SourceError("refused", "The server refuses this name and password.")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _answers(rows: list[Any]) -> Iterator[tuple[bytes, bytes | None]]:
    """Of each mail what is told of it, and its block of bytes, which imaplib gives in pieces."""
    told, block = b"", None
    for row in rows:
        if isinstance(row, tuple):
            told, block = told + row[0], row[1]
        elif row is not None:
            yield told + row, block
            told, block = b"", None


def _subject(header: bytes | None) -> str:
    """Such as the name of a file may be."""
    try:
        said = head_of(message_of(header or b""), "subject").encode("utf-8", "ignore").decode()
    except ExtractionError:  # such as one without a subject
        said = ""
    subject = " ".join(_UNFIT.sub(" ", said).split()).lstrip(".~$ ")  # no hidden file's name
    return subject[:LONGEST_SUBJECT].strip() or "Mail"
