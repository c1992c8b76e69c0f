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
    """place: the address of the folder."""

    def __init__(self, place: str, user_name: str, secret: str) -> None:
        self._root = place.rstrip("/") + "/"
        self._web = Web(httpx.BasicAuth(user_name, secret))

    def entries(self) -> Iterator[Entry]:
        """One folder after the other: many servers refuse to list all depths at once."""
        seen, waiting = {self._path(self._root)}, deque([(self._root, 0)])
        while waiting:
            folder, depth = waiting.popleft()
            for address, properties in self._listed(folder):
                path = self._path(address)
                if path in seen or not path.startswith(self._path(self._root)):
                    continue  # the folder itself, or something elsewhere
                seen.add(path)
                if _is_folder(properties):
                    if depth < DEEPEST:
                        waiting.append((address.rstrip("/") + "/", depth + 1))
                else:
                    yield _entry(path.removeprefix(self._path(self._root)), properties)

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> None:
        self._web.download(urljoin(self._root, quote(entry.path)), file, most)

    def close(self) -> None:
        self._web.close()

    def _listed(self, folder: str) -> Iterator[tuple[str, dict[str, Element]]]:
        headers = {"Depth": "1", "Content-Type": "application/xml"}
        body = self._web.listing("PROPFIND", folder, headers, ASKED)
        try:
            answers = [each for each in parse(body) if local(each) == "response"]
        except ExtractionError:
            raise SourceError("no_webdav", "What answers at this address does not speak WebDAV.") from None
        for answer in answers:
            parts = {local(each): each for each in answer.iter() if local(each)}
            if "href" in parts:
                yield urljoin(folder, (parts["href"].text or "").strip()), parts

    @staticmethod
    def _path(address: str) -> str:
        """As the server means it, however it has written it."""
        return unquote(urlsplit(address).path)


def _is_folder(properties: dict[str, Element]) -> bool:
    return "collection" in properties


def _entry(path: str, properties: dict[str, Element]) -> Entry:
    told = {name: (each.text or "").strip() for name, each in properties.items()}
    size = told.get("getcontentlength", "")
    version = told.get("getetag") or f"{told.get('getlastmodified', '')} {size}"
    return Entry(path=path, version=version[:200], size=int(size) if size.isdecimal() else None)
