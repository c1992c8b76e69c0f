"""The pictures of a pack: drawn once, kept in a folder, and used by every form that the pack has."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from chat.models import Citation
from chat.web.files.quote_pictures import Picture, QuotePictures, may_show_personal_data
from exchange.packs.content import Content, shown_citations
from reader.page_images import has_pages

MOST_PICTURES = 300
MOST_PICTURE_BYTES = 24 * 1024 * 1024  # together
FOLDER = "pictures"
# By answer and number: what KeptPicture.as_json says of each.
PicturesByQuote = Mapping[tuple[UUID, int], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPicture:
    """picture: without its bytes, which are in the file."""

    picture: Picture
    path: Path

    @property
    def name(self) -> str:
        """In the archive."""
        return f"{FOLDER}/{self.path.name}"

    def as_json(self) -> dict[str, Any]:
        picture = self.picture
        return {"file": self.name, "page": picture.page, "width": picture.width, "height": picture.height}


class PackPictures:
    """Of one pack."""

    def __init__(self, content: Content, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._folder.mkdir()
        self._drawn = QuotePictures(MOST_PICTURES, MOST_PICTURE_BYTES)
        self._hidden = 0
        self._kept: dict[tuple[UUID, int], list[KeptPicture]] = {}
        for place, turn in enumerate(content.turns, 1):
            for citation in shown_citations(turn):
                if hides_pages(content, citation):
                    self._hidden += bool(citation.boxes and has_pages(citation.document))
                else:
                    self._keep(citation, f"a{place}-c{citation.n}")

    def _keep(self, citation: Citation, name: str) -> None:
        kept = self._kept.setdefault((citation.turn_id, citation.n), [])
        for picture in self._drawn.of(citation):
            path = self._folder / f"{name}-p{picture.page}.png"
            path.write_bytes(picture.png)
            kept.append(KeptPicture(picture=replace(picture, png=b""), path=path))

    def __iter__(self) -> Iterator[KeptPicture]:
        return (each for kept in self._kept.values() for each in kept)

    @property
    def left_out(self) -> int:
        return self._drawn.left_out

    @property
    def hidden(self) -> int:
        return self._hidden + self._drawn.hidden

    def of(self, citation: Citation) -> Sequence[Picture]:
        kept = self._kept.get((citation.turn_id, citation.n), [])
        return [replace(each.picture, png=each.path.read_bytes()) for each in kept]

    @property
    def by_quote(self) -> PicturesByQuote:
        """What pack.json says of them, by answer and number."""
        return {quote: [each.as_json() for each in kept] for quote, kept in self._kept.items()}


def hides_pages(content: Content, citation: Citation) -> bool:
    """Whether a picture of its pages could show what is masked in words."""
    if not content.is_masked or citation.document is None:
        return False
    return may_show_personal_data(citation.document, citation.pages)
