"""A folder on a WebDAV server, as Nextcloud, ownCloud and many others have it (RFC 4918)."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Self
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpx
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from exchange.connectors.sources import web
from exchange.connectors.sources.source import LONGEST_PATH, Entry, SourceError, parsed_size
from formats.base.errors import ExtractionError
from formats.embedded.xml import Element, child, children, local, parse
from localization.stored import said

ASKED = (
    '<?xml version="1.0"?><propfind xmlns="DAV:"><prop>'
    "<resourcetype/><getetag/><getlastmodified/><getcontentlength/></prop></propfind>"
)
DEEPEST = 30  # folders in folders
FINE, WITHHELD, ABSENT = 200, 0, (404, 410)  # WITHHELD: for a reason that is not told


class WebDavSource:
    """place: the address of the folder. Of what the server says only paths are used, and only those below it:
    an address of another host would be sent the password.
    """

    def __init__(self, place: str, user_name: str, secret: str, should_stop: Callable[[], bool]) -> None:
        parts = urlsplit(place)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._root = unquote(parts.path).rstrip("/") + "/"
        self._web = web.Web(httpx.BasicAuth(user_name, secret), should_stop)

    def try_it(self) -> None:
        for _found in self._listed(""):
            pass

    def entries(self) -> Iterator[Entry]:
        """One folder after the other: many servers refuse to list all depths at once."""
        seen, waiting = {""}, deque([("", 0)])
        while waiting:
            folder, depth = waiting.popleft()
            for found in self._listed(folder):
                if found.status == FINE and found.is_folder:
                    is_near = depth < DEEPEST and len(found.path) < LONGEST_PATH
                    if found.path not in seen and is_near:
                        seen.add(found.path)
                        waiting.append((f"{found.path}/", depth + 1))
                    if len(seen) > web.MOST_LISTS:
                        raise web.many_folders()
                elif found.status not in ABSENT:
                    yield found.entry()

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        self._web.download(self._address(entry.path), file, most)
        return ""

    def close(self) -> None:
        self._web.close()

    def _address(self, path: str) -> str:
        return self._origin + quote(self._root + path)

    def _listed(self, folder: str) -> Iterator["Found"]:
        """What lies in a folder. Raises SourceError unless the server says that this is the folder: a page to
        sign in, or a file in its place, would look as if all in it had been deleted.
        """
        headers = {"Depth": "1", "Content-Type": "application/xml"}
        body = self._web.listing("PROPFIND", self._address(folder), headers, ASKED)
        is_named = False
        for answer in _answers(body):
            found = self._found(folder, answer)
            if found is None:
                continue
            if found.path == folder.rstrip("/"):
                is_named = _is_listed(found)
            elif found.is_folder and found.status not in (FINE, *ABSENT):
                raise _refused(found.status)
            else:
                yield found
        if not is_named:
            raise _no_webdav()

    def _found(self, folder: str, answer: Element) -> "Found | None":
        """None for what does not lie below the root, and for what has no path."""
        href = child(answer, "href")
        text = "" if href is None else (href.text or "").strip()
        try:
            address = urlsplit(urljoin(self._address(folder), text)).path
        except ValueError:
            raise SourceError("no_webdav", _("The server gives a file an invalid address.")) from None
        path = unquote(address).rstrip("/")
        below = path[len(self._root) :]
        if not text or not f"{path}/".startswith(self._root):
            return None
        if below and any(part in ("", ".", "..") for part in below.split("/")):
            return None
        return Found.of(below, answer, ends_as_folder=address.endswith("/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a server says of a file or a folder. path: below the root, without a slash at the end."""

    path: str
    status: int
    is_folder: bool
    version: str
    size: int | None

    @classmethod
    def of(cls, path: str, answer: Element, *, ends_as_folder: bool) -> Self:
        """The status is that of the answer, else that of its properties, where none of them is given."""
        parts = list(children(answer, "propstat"))
        given = [each for each in parts if _status(each) == FINE]
        own = answer if child(answer, "status") is not None or given or not parts else parts[0]
        properties = {local(each): each for part in given for each in part.iter() if local(each)}
        texts = {name: (each.text or "").strip() for name, each in properties.items()}
        size = texts.get("getcontentlength", "")
        version = texts.get("getetag") or f"{texts.get('getlastmodified', '')} {size}"
        return cls(
            path=path,
            # That there are no such properties says nothing of the file.
            status=WITHHELD if own in parts and _status(own) in ABSENT else _status(own),
            is_folder="collection" in properties or (ends_as_folder and not given),
            version=version[:200],
            size=parsed_size(size),
        )

    def entry(self) -> Entry:
        if self.status == FINE:
            return Entry(path=self.path, version=self.version, size=self.size)
        refusal = gettext_noop("The server does not give it.")
        if self.status:
            refusal = said("The server does not give it (HTTP {status}).", status=self.status)
        return Entry(path=self.path, version="", refusal=refusal)


def _answers(body: bytes) -> Iterator[Element]:
    try:
        root = parse(body)
    except ExtractionError:
        raise _no_webdav() from None
    if local(root) != "multistatus":
        raise _no_webdav()
    return children(root, "response")


def _status(element: Element) -> int:
    """That of "HTTP/1.1 404 Not Found"; all that is fine is FINE, as is what has none."""
    text = child(element, "status")
    if text is None:
        return FINE
    found = re.search(r" ([1-9][0-9]{2})(?![0-9])", text.text or "")
    status = int(found[1]) if found else WITHHELD
    return FINE if 200 <= status < 300 else status


def _is_listed(found: Found) -> bool:
    """Raises SourceError for a folder that is not given."""
    if found.status != FINE:
        raise _refused(found.status)
    return found.is_folder


def _refused(status: int) -> SourceError:
    if status in ABSENT:
        return SourceError("not_there", said("The server has no such folder (HTTP {status}).", status=status))
    if not status:
        return SourceError("refused", _("The server does not give a folder."))
    return SourceError("refused", said("The server does not give a folder (HTTP {status}).", status=status))


def _no_webdav() -> SourceError:
    return SourceError("no_webdav", _("What answers at this address does not speak WebDAV."))
