"""A connection to an IMAP server (RFC 3501) by imaplib, bounded, and how folders are named there."""

import base64
import imaplib
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from exchange.connectors.sources.source import SourceError

LARGEST = 4 * 2**20  # bytes of all that a server tells in answer to a command
_LISTED = re.compile(rb'\(([^)]*)\) (?:"\\?(.)"|NIL) (.*)', re.DOTALL)
_CLOSED = re.compile(rb"\\(Noselect|NonExistent)", re.IGNORECASE)


class Unfit(Exception):
    """A list that can't be understood. Its words are for people."""


class Connection(imaplib.IMAP4):
    """validity: another one where the server has numbered the mails of the open folder anew."""

    def __init__(self, host: str, port: int, made: socket.socket) -> None:
        self._made = made
        self._taken = 0  # bytes since the last command
        self._open = ""  # the folder
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
        """For reading alone; whether there is such a folder, which stays open."""
        if folder == self._open:
            return True
        self._open, self._taken = "", 0
        state, _ = self.select(quoted(folder), readonly=True)
        self._open = folder if state == "OK" else ""
        _, text = self.response("UIDVALIDITY")
        self.validity = text[-1].decode("ascii")[:20] if text and text[-1] else ""
        return state == "OK"

    def folders(self, pattern: str) -> Iterator["Folder"]:
        """Raises imaplib.IMAP4.error where it refuses, and Unfit where it names one that can't be understood:
        half a list would look as if the rest were gone.
        """
        self._taken = 0
        state, rows = self.list('""', quoted(pattern))
        if state != "OK":
            raise self.error(state)
        for row in rows:
            text = row[0].rpartition(b"{")[0] + row[1] if isinstance(row, tuple) else row or b""
            found = _LISTED.fullmatch(text.strip())
            if found is not None:
                name = found[3]
                if name.startswith(b'"'):
                    name = re.sub(rb"\\(.)", rb"\1", name[1:-1])
                mark = found[2] or b""
                if not name.isascii() or not mark.isascii():
                    raise Unfit(_("The server gives a mail folder a name that is not in ASCII."))
                yield Folder(name.decode("ascii"), mark.decode("ascii"), not _CLOSED.search(found[1]))
            elif text:
                raise Unfit(_("The server names a mail folder in a way that can't be understood."))

    def asked(self, *command: str) -> list[Any]:
        """Raises imaplib.IMAP4.error where it refuses."""
        self._taken = 0
        state, rows = self.uid(*command)
        if state != "OK":
            raise self.error(state)
        return rows


@dataclass(frozen=True, slots=True)
class Folder:
    """name: as the server calls it. mark: what stands between its name and that of one in it. is_open:
    whether it has mails.
    """

    name: str
    mark: str
    is_open: bool


def said_once(text: str) -> Callable[[bytes], bytes]:
    """What imaplib asks for in an exchange: this, and nothing to a refusal, which has its reasons in it."""
    left = [text.encode()]
    return lambda _: left.pop() if left else b""


def shown_name(name: str) -> str:
    """What `mailbox_name` has written."""

    def read(run: re.Match[str]) -> str:
        try:
            return base64.b64decode(run[1].replace(",", "/") + "==").decode("utf-16-be") if run[1] else "&"
        except ValueError:
            return run[0]

    return re.sub(r"&([^-]*)-", read, name)


def mailbox_name(name: str) -> str:
    """As IMAP writes it: other than ASCII in base64 of UTF-16 (RFC 3501, 5.1.3)."""

    def written(run: re.Match[str]) -> str:
        coded = base64.b64encode(run[0].encode("utf-16-be")).decode()
        return f"&{coded.rstrip('=').replace('/', ',')}-"

    return re.sub(r"[^ -~]+", written, name.replace("&", "&-"))


def quoted(text: str) -> str:
    """Raises SourceError."""
    if not text.isprintable():
        raise SourceError("refused", _("The server refuses this name and password."))
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def answers(rows: list[Any]) -> Iterator[tuple[bytes, bytes | None]]:
    """Of each mail what is told of it, and its block of bytes, which imaplib gives in pieces."""
    text, block = b"", None
    for row in rows:
        if isinstance(row, tuple):
            text, block = text + row[0], row[1]
        elif row is not None:
            yield text + row, block
            text, block = b"", None
