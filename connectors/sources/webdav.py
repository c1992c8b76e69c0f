"""A folder on a WebDAV server, as Nextcloud, ownCloud and many others have it (RFC 4918)."""

from collections import deque
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpx

from connectors.sources.source import Entry, SourceError
from connectors.sources.web import Web
from formats.base.errors import ExtractionError
from formats.embedded.xml import Element, local, parse

ASKED = (
    '<?xml version="1.0"?><propfind xmlns="DAV:"><prop>'
    "<resourcetype/><getetag/><getlastmodified/><getcontentlength/></prop></propfind>"
)
DEEPEST = 30  # folders in folders


class WebDavSource:
    """place: the address of the folder. Of what the server says only paths are used, and only those below it:
    an address of another host would be sent the password.
    """

    def __init__(self, place: str, user_name: str, secret: str) -> None:
        parts = urlsplit(place)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._root = unquote(parts.path).rstrip("/") + "/"
        self._web = Web(httpx.BasicAuth(user_name, secret))

    def entries(self) -> Iterator[Entry]:
        """One folder after the other: many servers refuse to list all depths at once."""
        seen, waiting = {""}, deque([("", 0)])
        while waiting:
            folder, depth = waiting.popleft()
            for path, properties in self._listed(folder):
                if path in seen:
                    continue  # the folder itself
                seen.add(path)
                if not _is_folder(properties):
                    yield _entry(path, properties)
                elif depth < DEEPEST:
                    waiting.append((f"{path}/", depth + 1))

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> None:
        self._web.download(self._address(entry.path), file, most)

    def close(self) -> None:
        self._web.close()

    def _address(self, path: str) -> str:
        return self._origin + quote(self._root + path)

    def _listed(self, folder: str) -> Iterator[tuple[str, dict[str, Element]]]:
        """What lies in a folder, by its path below the root, without a slash at the end."""
        headers = {"Depth": "1", "Content-Type": "application/xml"}
        body = self._web.listing("PROPFIND", self._address(folder), headers, ASKED)
        try:
            answers = [each for each in parse(body) if local(each) == "response"]
        except ExtractionError:
            raise SourceError("no_webdav", "What answers at this address does not speak WebDAV.") from None
        for answer in answers:
            parts = {local(each): each for each in answer.iter() if local(each)}
            href = (parts["href"].text or "").strip() if "href" in parts else ""
            path = unquote(urlsplit(urljoin(self._address(folder), href)).path).rstrip("/")
            if not f"{path}/".startswith(self._root):
                continue
            below = path[len(self._root) :]
            if not below or all(part not in ("", ".", "..") for part in below.split("/")):
                yield below, parts


def _is_folder(properties: dict[str, Element]) -> bool:
    return "collection" in properties


def _entry(path: str, properties: dict[str, Element]) -> Entry:
    told = {name: (each.text or "").strip() for name, each in properties.items()}
    size = told.get("getcontentlength", "")
    version = told.get("getetag") or f"{told.get('getlastmodified', '')} {size}"
    return Entry(path=path, version=version[:200], size=int(size) if size.isdecimal() else None)
