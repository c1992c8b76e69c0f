"""The pictures of a pack: drawn once, kept in a folder, and used by every form that the pack has."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chat.models import Citation
from chat.web.quote_pictures import Picture, QuotePictures
from ingestion.models import Page
from packs.content import Content
from text.personal_data import find

MOST_PICTURES = 300
MOST_PICTURE_BYTES = 24 * 1024 * 1024  # together
FOLDER = "pictures"


class PackPictures:
    """Of one pack. left_out: quotes that have a place on their page, but no picture."""

    def __init__(self, content: Content, folder: Path) -> None:
        self.left_out = 0
        self.files: list[Path] = []
        self._kept: dict[tuple[Any, int], list[tuple[Picture, Path]]] = {}
        (folder / FOLDER).mkdir()
        drawn = QuotePictures(MOST_PICTURES, MOST_PICTURE_BYTES)
        for place, turn in enumerate(content.turns, 1):
            for citation in (each for each in content.quotes if each.turn_id == turn.pk):
                if content.is_masked and _shows_personal_data(citation):
                    self.left_out += bool(citation.boxes)
                    continue
                for picture in drawn.of(citation):
                    path = folder / FOLDER / f"a{place}-c{citation.n}-p{picture.page}.png"
                    path.write_bytes(picture.png)
                    self._kept.setdefault((turn.pk, citation.n), []).append((_without_bytes(picture), path))
                    self.files.append(path)
        self.left_out += drawn.left_out

    def of(self, citation: Citation) -> Sequence[Picture]:
        kept = self._kept.get((citation.turn_id, citation.n), [])
        return [
            Picture(page=each.page, width=each.width, height=each.height, png=path.read_bytes())
            for each, path in kept
        ]

    @property
    def names(self) -> Mapping[tuple[Any, int], Sequence[Mapping[str, Any]]]:
        """What pack.json says of them."""
        return {
            quote: [
                {"file": name_of(path), "page": each.page, "width": each.width, "height": each.height}
                for each, path in kept
            ]
            for quote, kept in self._kept.items()
        }


def name_of(path: Path) -> str:
    """In the archive."""
    return f"{FOLDER}/{path.name}"


def _without_bytes(picture: Picture) -> Picture:
    return Picture(page=picture.page, width=picture.width, height=picture.height, png=b"")


def _shows_personal_data(citation: Citation) -> bool:
    """Whether a picture of its pages could show what is masked in words."""
    if citation.document is None:
        return False
    pages = Page.objects.filter(document=citation.document, number__in=citation.pages)
    return any(find(text) for text in pages.values_list("text", flat=True))
