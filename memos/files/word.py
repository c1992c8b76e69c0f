"""A memo as a Word file."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from chat.web.files.word_paper import WordPaper
from memos.crops import Crop
from memos.files.content import APPENDIX, NO_SOURCE_FOUND, SOURCES, MemoContent
from memos.sources import ShownSource

ABOVE_TEXT = -1  # a memo's highest headings are of level 2, under its title


def as_word(content: MemoContent, crops: Iterable[Crop]) -> bytes:
    paper = WordPaper(content.title, content.taken)
    paper.parts(content.parts, below=ABOVE_TEXT)
    if content.sources:
        paper.heading(_(SOURCES), level=1)
    for shown in content.sources:
        _line(paper, shown, shown.source["said"])
        paper.quote(shown.source["quote"])
    for number, crop in enumerate(crops):
        if number == 0:
            paper.heading(_(APPENDIX), level=1)
        _line(paper, crop.source)
        if crop.said:
            paper.small(crop.said)
        paper.pictures(crop.pictures)
    return paper.file()


def _line(paper: WordPaper, shown: ShownSource, said: str = "") -> None:
    paper.source(shown.shown, shown.source["title"] or _(NO_SOURCE_FOUND), shown.source["where"], said)
