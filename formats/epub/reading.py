"""From a book to blocks: its chapters in the order of its spine, each on pages of its own."""

import posixpath
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.embedded.archive import Archive
from formats.embedded.pictures import Pictures
from formats.embedded.xml import LONGEST_TEXT, Element, attribute, children, local, parse, texts_of
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of as blocks_of_html
from formats.rendition.blocks import Block, PageBreak

MOST_CHAPTERS = 5_000
CONTAINER, RIGHTS = "META-INF/container.xml", "META-INF/encryption.xml"


class Book:
    """Raises ExtractionError for what is no book, or is locked to one reader."""

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        root = self._xml(CONTAINER)
        paths = [each.get("full-path") or "" for each in root.iter() if local(each) == "rootfile"]
        if not paths:
            raise ExtractionError(
                "corrupt", gettext_noop("This file is named like a book but has no list of chapters.")
            )
        self._folder = posixpath.dirname(paths[0])
        self._package = self._xml(paths[0])
        self._locked = self._encrypted()

    def properties(self) -> dict[str, str]:
        """What the book says of itself."""
        metadata = next((each for each in self._package.iter() if local(each) == "metadata"), None)
        told = texts_of(metadata, {"title": "title", "creator": "author", "date": "created"})
        for each in children(metadata, "meta"):
            if attribute(each, "property") == "dcterms:modified":
                told["modified"] = (each.text or "").strip()[:LONGEST_TEXT]
        return told

    def blocks(self) -> Iterator[Block]:
        items = {each.get("id"): each for each in self._package.iter() if local(each) == "item"}
        spine = [items.get(each.get("idref")) for each in self._package.iter() if local(each) == "itemref"]
        if len(spine) > MOST_CHAPTERS:
            raise too_large(
                "This book has {n} chapters; {most} are allowed.", n=len(spine), most=MOST_CHAPTERS
            )
        pictures = Pictures()
        names = (self._inside(self._folder, each.get("href") or "") for each in spine if each is not None)
        for place, name in enumerate(dict.fromkeys(names)):  # a chapter is read once
            if name in self._locked:
                raise ExtractionError(
                    "encrypted",
                    gettext_noop("This book is protected against copying, so its text could not be read."),
                    gettext_noop("Add a copy without protection (DRM), if you have the right to one."),
                )
            if name not in self._archive:
                continue
            if place:
                yield PageBreak()
            folder = posixpath.dirname(name)
            try:
                root = parse_html(self._archive.read(name))
            except ExtractionError as error:
                if error.code == "empty":
                    continue
                raise
            yield from blocks_of_html(root, pictures, partial(self._picture, folder))

    def _picture(self, folder: str, address: str) -> bytes | None:
        if ":" in address:
            return None
        name = self._inside(folder, address)
        return None if name in self._locked else self._archive.read_if_whole(name)

    def _inside(self, folder: str, address: str) -> str:
        return posixpath.normpath(posixpath.join(folder, unquote(address.split("#")[0])))

    def _encrypted(self) -> set[str]:
        """The parts that a lock is on; fonts are often scrambled, which does not matter."""
        if RIGHTS not in self._archive:
            return set()
        references = (
            each.get("URI") for each in self._xml(RIGHTS).iter() if local(each) == "CipherReference"
        )
        return {unquote(uri) for uri in references if uri}

    def _xml(self, name: str) -> Element:
        try:
            return parse(self._archive.read(name))
        except KeyError:
            raise ExtractionError(
                "corrupt", gettext_noop("This file is named like a book, and its content is not one.")
            ) from None
