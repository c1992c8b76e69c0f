"""What the files of a memo say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.web.files.answer_parts import Part, parts_of
from datasources.masking import shown
from localization.moments import day_and_time
from memos.citing import Cited, cited_in, marked, with_words
from memos.models import Memo
from memos.sources import ShownSource, cited_sources

SOURCES, APPENDIX = gettext_noop("Sources"), gettext_noop("Appendix: the quotes on their pages")
NO_SOURCE_FOUND = gettext_noop("No source found")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoContent:
    """taken: a sentence on where and when. sources: the cited ones, in the order of the text."""

    title: str
    taken: str
    text: str
    cited: Cited
    sources: Sequence[ShownSource]

    @property
    def parts(self) -> list[Part]:
        """Of the text, with the numbers that the sources have in files."""
        return [self._numbered(part) for part in parts_of(marked(self.text))]

    def _numbered(self, part: Part) -> Part:
        runs = [replace(run, text=with_words(run.text, self.cited)) for run in part.stretches]
        rows = [[with_words(cell, self.cited) for cell in row] for row in part.rows]
        return replace(part, stretches=runs, rows=rows)


def content_of(memo: Memo) -> MemoContent:
    cited = cited_in(memo.text, memo.sources)
    return MemoContent(
        title=memo.title, taken=_taken(memo), text=memo.text, cited=cited, sources=cited_sources(memo, cited)
    )


def _taken(memo: Memo) -> str:
    """The words are people's and SVQ's, so it does not say who wrote them."""
    name = shown(memo.datasource.name, memo.datasource_id)
    return _("Taken from “{name}” in SVQ on {day} at {time}.").format(name=name, **day_and_time(now()))
