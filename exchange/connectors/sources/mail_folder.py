"""A folder of mails on an IMAP server (RFC 3501), alone or with the folders in it. Each mail is a file, which
never changes.
"""

import imaplib
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext as _

from datasources.storage.errors import is_full
from exchange.connectors.sources.imap import (
    Connection,
    Folder,
    Unfit,
    answers,
    mailbox_name,
    quoted,
    said_once,
    shown_name,
)
from exchange.connectors.sources.line import Line, TooSlow
from exchange.connectors.sources.server_address import address_of
from exchange.connectors.sources.source import USUAL_PORTS, Entry, FileRefused, SourceError, keep
from exchange.connectors.sources.web import FILE_SECONDS, LIST_SECONDS, LONGEST, UNREACHABLE
from formats.base.errors import ExtractionError
from formats.mail.reading import head_of, message_of
from localization.stored import said
from providers.http.clients import tls
from providers.http.special_addresses import is_public

WAIT = 60.0  # seconds for the next bytes
TRY_SECONDS = 12.0  # while a person waits for it
LISTED = 500  # mails in one answer
BLOCK = 2**20  # bytes of a mail in one answer
LONGEST_NUMBER = 10  # digits of a UID
SUBJECT = 1_000  # bytes of a header that are read
LONGEST_SUBJECT = 120  # characters of it in a file's name
MOST_FOLDERS = 500
WITH_FOLDERS = "*"  # at the end of a place: the folders in it, too
FIELDS = f"(UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (SUBJECT)]<0.{SUBJECT}>)"
_UID, _SIZE = re.compile(rb"\bUID (\d{1,10})\b"), re.compile(rb"\bRFC822\.SIZE (\d{1,18})\b")
_DELETED = re.compile(rb"FLAGS \([^)]*\\Deleted", re.IGNORECASE)
_UNFIT = re.compile(r"[\x00-\x1f\x7f/\\]+")  # for the name of a file


class NotOpened(SourceError):
    """A folder; the server answers for the others."""


class MailSource:
    """place: imaps://server/Folder; with imap:// the connection is encrypted by STARTTLS before the password
    is sent. Without a folder INBOX is meant. With /* at the end the folders in it are followed as well.
    """

    def __init__(
        self,
        place: str,
        user_name: str,
        secret: str,
        should_stop: Callable[[], bool],
        *,
        token: Callable[[], str] | None = None,
    ) -> None:
        """token: gives one to sign in with in place of a password (XOAUTH2)."""
        parts = urlsplit(place)
        self._host, self._port = str(parts.hostname), parts.port or USUAL_PORTS[parts.scheme]
        self._is_tls = parts.scheme == "imaps"
        path = unquote(parts.path).strip("/")
        self._is_deep = path == WITH_FOLDERS or path.endswith(f"/{WITH_FOLDERS}")
        folder = path.removesuffix(WITH_FOLDERS).strip("/") if self._is_deep else path or "INBOX"
        self._folder = mailbox_name(folder)
        self._folders = {"": self._folder}  # as the server calls them, by where their mails lie
        self._user_name, self._secret, self._token = user_name, secret, token
        self._wait = WAIT
        self._begun = time.monotonic()  # of the list
        self._line = Line(should_stop)
        self._mail: Connection | None = None

    def try_it(self) -> None:
        """Sign in and open the folder, for somebody who waits for it. Raises SourceError."""
        self._wait = TRY_SECONDS / 2
        if self._is_deep:
            self._listed(TRY_SECONDS)
            return
        with self._asking(TRY_SECONDS, self._folder):
            pass

    def entries(self) -> Iterator[Entry]:
        """Without those that are marked as deleted: they go when the person's program tidies up. By lasting
        numbers (UID), as the others shift while mails are deleted.
        """
        self._begun = time.monotonic()
        if self._is_deep:
            self._folders = self._listed(LIST_SECONDS)
        for below in self._folders:
            try:
                yield from self._mails(below)
            except NotOpened:
                if not below:
                    raise
                yield Entry(path=below, version="", refusal=_("The server does not open this mail folder."))

    def _left(self) -> float:
        """Seconds for the next answer of a list. Raises SourceError."""
        left = LONGEST - (time.monotonic() - self._begun)
        if left <= 0:
            raise SourceError(
                "slow",
                said("The mails could not be listed within {minutes} minutes.", minutes=LONGEST // 60),
                _("Nothing was changed. Connect folders in it, one by one."),
            )
        return min(LIST_SECONDS, left)

    def _mails(self, below: str) -> Iterator[Entry]:
        numbers = self._numbers(below)
        for first in range(0, len(numbers), LISTED):
            these = numbers[first : first + LISTED]
            described = self._described(below, these)
            missing = {*these} - described.keys()
            if missing and missing & {*self._numbers(below)}:  # else they were deleted meanwhile
                raise SourceError(UNREACHABLE, _("The server lists mails and says nothing about them."))
            yield from (entry for entry in described.values() if entry is not None)

    def _listed(self, seconds: float) -> dict[str, str]:
        """The folder, if it has mails itself, and those in it. Raises SourceError."""
        with self._asking(seconds) as mail:
            rows = [row for row in mail.folders(self._folder or "*") if self._is_meant(row)]
            if not rows:
                raise SourceError("not_there", _("The server has no such mail folder."))
            below = f"{rows[0].name}{rows[0].mark}" if self._folder else ""
            if below and rows[0].mark:
                rows += [row for row in mail.folders(f"{below}*") if row.name.startswith(below)]
        if len(rows) > MOST_FOLDERS:
            raise SourceError(
                "many_folders",
                said("There are more than {n} mail folders in it.", n=MOST_FOLDERS),
                _("Nothing was changed. Connect folders in it, one by one."),
            )
        found: dict[str, str] = {}
        for row in sorted({row for row in rows if row.is_open}, key=lambda each: each.name):
            shown = _folder_path(row, below)
            while found.get(shown, row.name) != row.name:
                shown += "_"
            found[shown] = row.name
        return found

    def _is_meant(self, row: Folder) -> bool:
        """A name may have signs in it that stand for others in a list; INBOX is so in any case."""
        is_inbox = row.name.upper() == self._folder.upper() == "INBOX"
        return not self._folder or row.name == self._folder or is_inbox

    def _numbers(self, below: str) -> list[str]:
        with self._asking(self._left(), self._folders[below]) as mail:
            rows = [row for row in mail.asked("SEARCH", "ALL") if row is not None]
            found = b" ".join(rows).split() if all(isinstance(row, bytes) for row in rows) else [b"?"]
            if not all(number.isdigit() and len(number) <= LONGEST_NUMBER for number in found):
                raise Unfit(_("The server sends a mail number that is not a number."))
        return list(dict.fromkeys(number.decode("ascii") for number in found))

    def _described(self, below: str, numbers: Sequence[str]) -> dict[str, Entry | None]:
        """By their numbers; None for those that are marked as deleted."""
        with self._asking(self._left(), self._folders[below]) as mail:
            rows = list(answers(mail.asked("FETCH", ",".join(numbers), FIELDS)))
        found: dict[str, Entry | None] = {}
        for described, header in rows:
            uid, size = _UID.search(described), _SIZE.search(described)
            number = uid[1].decode() if uid else ""
            if number in numbers:
                found[number] = (
                    None
                    if _DELETED.search(described)
                    else Entry(
                        path=f"{below}{'/' if below else ''}{_subject(header)} ({number}).eml",
                        version=f"{mail.validity}.{number}",
                        size=int(size[1]) if size else None,
                    )
                )
        return found

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        """Block by block: imaplib has all of an answer in memory."""
        number, below = entry.version.rpartition(".")[2], entry.path.rpartition("/")[0]
        with self._asking(FILE_SECONDS, self._folders[below]) as mail:
            keep(_blocks(mail, number), file, most)
        return ""

    def close(self) -> None:
        if self._mail is not None:
            with suppress(OSError):
                self._mail.shutdown()
            self._mail = None
        self._line.close()

    @contextmanager
    def _asking(self, seconds: float, folder: str = "") -> Iterator[Connection]:
        """folder: as the server calls the one that is to be open."""
        try:
            with self._line.cut_after(seconds):
                if self._mail is None:
                    self._mail = self._connected()
                if folder and not self._mail.opens(folder):
                    raise NotOpened("not_there", _("The server has no such mail folder."))
                yield self._mail
        except TooSlow:
            raise SourceError("slow", _("The server answers too slowly.")) from None
        except TimeoutError:
            raise SourceError("timeout", _("The server did not answer in time.")) from None
        except Unfit as error:
            raise SourceError("bad_list", str(error), _("Nothing was changed.")) from None
        except (imaplib.IMAP4.error, OSError, ValueError) as error:
            if is_full(error):  # our own disk, which is no fault of the server's
                raise
            raise SourceError(UNREACHABLE, _("The server broke off, or does not speak IMAP.")) from None

    def _connected(self) -> Connection:
        """Signed in. Raises SourceError."""
        with ExitStack() as unless_it_works:
            made = unless_it_works.enter_context(self._socket())
            self._line.hold(made)
            if self._is_tls:
                made = unless_it_works.enter_context(tls().wrap_socket(made, server_hostname=self._host))
            mail = Connection(self._host, self._port, made)
            unless_it_works.callback(mail.shutdown)
            if not self._is_tls:
                self._encrypt(mail)
            self._sign_in(mail)
            unless_it_works.pop_all()
            return mail

    def _socket(self) -> socket.socket:
        unknown = said("No server with the name {host} is known.", host=self._host)
        address = address_of(self._host, self._port, unknown=unknown)
        try:
            return socket.create_connection((address, self._port), self._wait)
        except TimeoutError:
            raise SourceError("timeout", _("The server did not answer in time.")) from None
        except OSError:
            told = said(
                "Nothing accepts connections at {host}, port {port}.", host=self._host, port=str(self._port)
            )
            raise SourceError(UNREACHABLE, told) from None

    def _encrypt(self, mail: Connection) -> None:
        if "STARTTLS" in mail.capabilities:
            mail.starttls(tls())
        elif is_public(mail.sock.getpeername()[0]):
            raise SourceError(
                "unencrypted",
                _("The server offers no encryption (STARTTLS), so the password was not sent."),
                _("Give its address with imaps://."),
            )

    def _sign_in(self, mail: Connection) -> None:
        token = self._token() if self._token else ""
        try:
            if token:
                mail.authenticate("XOAUTH2", said_once(f"user={self._user_name}\1auth=Bearer {token}\1\1"))
            elif "AUTH=PLAIN" in mail.capabilities:
                mail.authenticate("PLAIN", lambda _: f"\0{self._user_name}\0{self._secret}".encode())
            else:
                quoted(self._secret)  # imaplib quotes it, and looks for no end of a line in it
                mail.login(quoted(self._user_name), self._secret)
        except imaplib.IMAP4.abort:
            raise
        except (imaplib.IMAP4.error, UnicodeError):
            of_key = _("The server does not let this key read the mailbox.")
            of_password = _("The server refuses this name and password.")
            raise SourceError("refused", of_key if token else of_password) from None


def _subject(header: bytes | None) -> str:
    """Such as the name of a file may be."""
    try:
        said = head_of(message_of(header or b""), "subject").encode("utf-8", "ignore").decode()
    except ExtractionError:  # such as one without a subject
        said = ""
    return _fit(said)[:LONGEST_SUBJECT].strip() or "Mail"


def _folder_path(folder: Folder, below: str) -> str:
    """Where the mails of a folder lie, below the one that is followed: with slashes."""
    parts = (folder.name[len(below) :]).split(folder.mark) if folder.mark else [folder.name[len(below) :]]
    shown = (_fit(shown_name(part))[:LONGEST_SUBJECT].strip() or "Folder" for part in parts)
    return "/".join(shown) if any(parts) else ""


def _fit(text: str) -> str:
    """For the name of a file that is not hidden."""
    return " ".join(_UNFIT.sub(" ", text).split()).lstrip(".~$ ")


def _blocks(mail: Connection, number: str) -> Iterator[bytes]:
    """Of the mail with that number, until a short one. Raises FileRefused."""
    size = 0
    while True:
        rows = mail.asked("FETCH", number, f"(BODY.PEEK[]<{size}.{BLOCK}>)")
        block = next((block for _row, block in answers(rows) if block is not None), None)
        if block is None:
            raise FileRefused(_("It is no longer there."))
        yield block
        size += len(block)
        if len(block) < BLOCK:
            return
