"""A memo as a PDF."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from formats.rendition.lacking_letters import said_of_letters
from formats.rendition.report import NotSet, report_pdf
from memos.crops import Crop
from memos.files.content import APPENDIX, NO_SOURCE_FOUND, SOURCES, MemoContent
from memos.sources import ShownSource

TEMPLATE = Path(__file__).with_name("memo.typ")
SECONDS = 60
FAILED = gettext_noop("The PDF of this memo could not be made. Take the Word file.")


def as_pdf(content: MemoContent, crops: Iterable[Crop], folder: Path) -> bytes:
    """folder: an empty one, for the pictures. Raises ValidationError when it takes too long."""
    values: dict[str, Any] = {
        "title": content.title,
        "taken": content.taken,
        "parts": [asdict(part) for part in content.parts],
        "sources_heading": _(SOURCES),
        "sources": [_source(shown) for shown in content.sources],
        "appendix_heading": _(APPENDIX),
        "picture": _("The quoted words, marked on their page"),
        "crops": [_crop(crop, folder) for crop in crops],
    }
    values["lacking"] = said_of_letters(json.dumps(values, ensure_ascii=False))
    try:
        return report_pdf(TEMPLATE, values, seconds=SECONDS, folder=folder)
    except NotSet as error:
        raise ValidationError(_(FAILED), code="memo_failed") from error


def _source(shown: ShownSource) -> dict[str, Any]:
    source = shown.source
    return {
        "n": shown.shown,
        "title": source["title"] or _(NO_SOURCE_FOUND),
        "where": source["where"],
        "said": source["said"],
        "quote": " ".join(source["quote"].split()),
    }


def _crop(crop: Crop, folder: Path) -> dict[str, Any]:
    pictures = []
    for picture in crop.pictures:
        name = f"{crop.source.shown}-{picture.page}.png"
        (folder / name).write_bytes(picture.png)
        pictures.append({"file": name, "width": picture.width})
    return _source(crop.source) | {"said": crop.said, "pictures": pictures}
