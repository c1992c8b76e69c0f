"""The look of the two statements about a citation: the quote is on the page; it supports the claim."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.models import Citation, OnPage, Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """`words` for a badge; `css` colours a pill, `chip` the number in the answer."""

    words: str
    icon: str
    css: str = ""
    chip: str = ""


ON_PAGE = Badge(words="On the page", icon="scan", css="line", chip="quo")
DELETED = Badge(words="File deleted", icon="trash-2", css="line", chip="quo")
ABSENT = Badge(words="No source found", icon="search-x", css="warn", chip="nos")
SUPPORTED = Badge(words="Supports the claim", icon="badge-check", css="ok", chip="sup")
CONTRADICTED = Badge(words="Contradicts the claim", icon="circle-x", css="bad", chip="bad")
FACTS_AGREE = Badge(words="Facts agree, wording differs", icon="scale", css="line", chip="agr")
NEEDS_EYE = Badge(words="Needs your eye", icon="shield-question-mark", css="warn", chip="unv")

ABOUT_CLAIM = {
    Support.SUPPORTED.value: SUPPORTED,
    Support.FACTS_AGREE.value: FACTS_AGREE,
    Support.CONTRADICTED.value: CONTRADICTED,
    Support.NEEDS_EYE.value: NEEDS_EYE,
}


def about_quote(citation: Citation) -> Badge:
    if citation.on_page == OnPage.ABSENT:
        return ABSENT
    return DELETED if citation.is_file_deleted else ON_PAGE


def about_claim(citation: Citation) -> Badge | None:
    """None where no claim was judged."""
    return ABOUT_CLAIM.get(citation.support)


def of(citation: Citation) -> Badge:
    """The badge that colours its number: about the claim, else about the quote."""
    return about_claim(citation) or about_quote(citation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many citations a statement is true of; `chips` selects their chips."""

    text: str
    badge: Badge
    chips: str


def counts(citations: Sequence[Citation]) -> list[Count]:
    """Counts of quotes, and separately of claims, without those that are 0."""
    about_quotes = [about_quote(citation) for citation in citations]
    there, gone = about_quotes.count(ON_PAGE), about_quotes.count(DELETED)
    found = [
        (there, "quote on the page", "quotes on the page", ON_PAGE, ".chip:not(.nos, .pend, .gone)"),
        (gone, "quote of a deleted file", "quotes of deleted files", DELETED, ".chip.gone"),
    ]
    for badge, singular, plural in (
        (SUPPORTED, "supports the claim", "support the claim"),
        (CONTRADICTED, "contradicts the claim", "contradict the claim"),
        (FACTS_AGREE, "with the same facts in other words", "with the same facts in other words"),
        (NEEDS_EYE, "needs your eye", "need your eye"),
        (ABSENT, "without source", "without source"),
    ):
        count = sum(of(citation) is badge for citation in citations)
        found.append((count, singular, plural, badge, f".chip.{badge.chip}"))
    return [
        Count(text=f"{count} {singular if count == 1 else plural}", badge=badge, chips=chips)
        for count, singular, plural, badge, chips in found
        if count
    ]
