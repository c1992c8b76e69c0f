"""A memo as its files will show it, as HTML whose numbers lead to their sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from chat.web.answers.rendering import SPACE_BEFORE_MARK
from citations.marks import MARK
from citations.parse import WORD_JOINER
from memos.citing import NO_SOURCE, cited_in
from memos.models import Memo
from memos.quoting import by_block
from memos.sources import ShownSource, cited_sources, uncited_sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """blocks: safe HTML of the paragraphs, lists and so on. missing: numbers in the text without a source."""

    blocks: Sequence[SafeString]
    sources: Sequence[ShownSource]
    uncited: Sequence[ShownSource]
    missing: Sequence[int]


def preview_of(memo: Memo) -> Preview:
    cited = cited_in(memo.text, memo.sources)
    sources = cited_sources(memo, cited)
    return Preview(
        blocks=list(_with_chips(memo, sources)),
        sources=sources,
        uncited=uncited_sources(memo, cited),
        missing=cited.missing,
    )


def _with_chips(memo: Memo, sources: Sequence[ShownSource]) -> Iterator[SafeString]:
    chips = {shown.n: _chip(shown) for shown in sources}
    differing = {shown.n: _differing_chip(shown) for shown in sources}
    for block, changed in by_block(memo.text, memo.sources):
        yield _with_chips_in(block, chips | {n: differing[n] for n in changed})


def _with_chips_in(block: str, chips: Mapping[int, SafeString]) -> SafeString:
    def chip(n: int) -> str:
        return chips.get(n) or format_html('<span class="chip nos">{}: {}</span>', n, _(NO_SOURCE))

    html = SPACE_BEFORE_MARK.sub(rf"{WORD_JOINER}\1", block)
    return mark_safe(MARK.sub(lambda found: chip(int(found[1])), html))  # cleaned by rendering


def _chip(shown: ShownSource) -> SafeString:
    return format_html(
        '<a class="chip" href="#source-{}" aria-label="{}">{}</a>',
        shown.n,
        ", ".join(
            filter(
                None,
                [_("Source {n}").format(n=shown.shown), shown.source["title"], shown.source["where"]],
            )
        ),
        shown.shown,
    )


def _differing_chip(shown: ShownSource) -> SafeString:
    """For words in a quotation that are not the source's."""
    return format_html(
        '<a class="chip nos" href="#source-{}">{}</a>',
        shown.n,
        _("Differs from source {n}").format(n=shown.shown),
    )
