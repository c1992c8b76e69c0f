"""The parts of an Office file (OPC): by name, by relation, its properties. No external target is followed."""

import posixpath
from contextlib import suppress
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from formats.base.errors import ExtractionError, gettext_noop
from formats.embedded.archive import Archive
from formats.embedded.recognition import ENCRYPTED, OLE
from formats.embedded.xml import Element, attribute, parse, texts_of

CORE_PROPERTIES = "docProps/core.xml"
CORE_NAMES = {"title": "title", "creator": "author", "created": "created", "modified": "modified"}


class Package:
    """source: a file, or the content of one. Raises ExtractionError for what is no Office file; "encrypted"
    for one with a password.
    """

    def __init__(self, source: Path | bytes) -> None:
        if isinstance(source, bytes):
            start = source
        else:
            with source.open("rb") as file:
                start = file.read(len(OLE))
        if start.startswith(OLE):
            raise _refusal(source if isinstance(source, bytes) else source.read_bytes())
        self._archive = Archive(source)
        self._xml: dict[str, Element | None] = {}
        self._relations_of: dict[str, dict[str, tuple[str, str]]] = {}

    def main(self, otherwise: str) -> str:
        """The name of the part that the file is about."""
        for kind, target in self._relations("").values():
            if kind == "officeDocument":
                return target
        return otherwise

    def names(self) -> list[str]:
        return self._archive.names()

    def check(self, name: str) -> None:
        """Raise ExtractionError for a part whose XML is damaged, nests too deep or declares entities."""
        parse(self._archive.read(name))

    def content(self, name: str) -> bytes | None:
        """None for a part that is not there."""
        return self._archive.read(name) if name and name in self._archive else None

    def content_if_whole(self, name: str) -> bytes | None:
        """None as well for a part that is damaged."""
        return self._archive.read_if_whole(name)

    def xml(self, name: str) -> Element | None:
        if name not in self._xml:
            content = self.content(name)
            self._xml[name] = None if content is None else parse(content)
        return self._xml[name]

    def xml_if_whole(self, name: str) -> Element | None:
        """None as well for a part that is damaged."""
        with suppress(ExtractionError):
            return self.xml(name)
        return None

    def related(self, part: str, kind: str) -> list[str]:
        """The names of the parts that one names by a relation of that kind."""
        return [target for of, target in self._relations(part).values() if of == kind]

    def target(self, part: str, relation: str | None) -> str:
        """The part that a relation's id stands for; "" for none in this file."""
        return self._relations(part).get(relation or "", ("", ""))[1]

    def properties(self) -> dict[str, str]:
        """What the file says of itself; nothing where that is damaged, which harms no reading."""
        with suppress(ExtractionError):
            name = next(iter(self.related("", "core-properties")), CORE_PROPERTIES)
            return texts_of(self.xml(name), CORE_NAMES)
        return {}

    def _relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Kind and target by id."""
        if part not in self._relations_of:
            self._relations_of[part] = self._read_relations(part)
        return self._relations_of[part]

    def _read_relations(self, part: str) -> dict[str, tuple[str, str]]:
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        relations = {}
        for each in () if root is None else root:
            if (attribute(each, "TargetMode") or "").lower() == "external":
                continue
            target = unquote((attribute(each, "Target") or "").split("#")[0])
            inside = (
                target.lstrip("/")
                if target.startswith("/")
                else posixpath.normpath(posixpath.join(folder, target))
            )
            kind = PurePosixPath(attribute(each, "Type") or "").name
            relations[attribute(each, "Id") or ""] = (kind, inside)
        return relations


def _refusal(content: bytes) -> ExtractionError:
    if ENCRYPTED in content:
        return ExtractionError(
            "encrypted",
            gettext_noop("This file is password protected, so its text could not be read."),
            gettext_noop(
                "Open it in Office, remove the password under File, Info, Protect, and add the saved copy."
            ),
        )
    return ExtractionError(
        "unsupported",
        gettext_noop("This file is in the Office format of before 2007, whatever its name says."),
        gettext_noop("Open it in Office and save it in the current format, or as PDF, then add that."),
    )
