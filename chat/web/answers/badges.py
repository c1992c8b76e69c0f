"""The look of the two statements about a citation: the quote is on the page; it supports the claim."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from chat.models import Citation
from citations.choices import ConfirmedBy, OnPage, Support
from localization.promises import StrOrPromise


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """`words` for a badge; `css` colours a pill, `chip` the number in the answer."""

    words: StrOrPromise
    icon: str
    css: str = ""
    chip: str = ""


CHIPS_ON_PAGE = ".chip:not(.nos, .pend, .gone)"
ON_PAGE = Badge(words=_("On the page"), icon="scan", css="line", chip="quo")
DELETED = Badge(words=_("File deleted"), icon="trash-2", css="line", chip="quo")
ABSENT = Badge(words=_("No source found"), icon="search-x", css="warn", chip="nos")
UNSOURCED = Badge(words=_("Names no source"), icon="triangle-alert", css="warn", chip="nos")
BY_CODE = Badge(words=_("Supports, checked by code"), icon="check", css="okc", chip="sup")
BY_READER = Badge(words=_("Supports, second reader"), icon="eye", css="okr", chip="rdr")
BY_WRITER = replace(BY_READER, words=_("Supports, the model itself says"))  # it judged what it wrote
FACTS_AGREE = Badge(words=_("Facts agree, wording differs"), icon="scale", css="agr", chip="agr")
NEEDS_EYE = Badge(words=_("Needs your eye"), icon="shield-question-mark", css="warnd", chip="unv")
CONTRADICTED = Badge(words=_("Contradicts the claim"), icon="x", css="badl", chip="bad")

ABOUT_CLAIM = {
    Support.SUPPORTED.value: BY_CODE,
    Support.FACTS_AGREE.value: FACTS_AGREE,
    Support.NEEDS_EYE.value: NEEDS_EYE,
    Support.CONTRADICTED.value: CONTRADICTED,
}


def about_quote(citation: Citation) -> Badge:
    if citation.on_page == OnPage.ABSENT:
        return ABSENT
    return DELETED if citation.is_file_deleted else ON_PAGE


def about_claim(citation: Citation) -> Badge | None:
    """None where no claim was judged. The two kinds of yes have badges of their own."""
    badge = ABOUT_CLAIM.get(citation.support)
    return BY_READER if badge is BY_CODE and citation.confirmed_by == ConfirmedBy.READER else badge


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
    """Counts of quotes, without those that are 0. Claims are counted by `verdict_line`."""
    about_quotes = [about_quote(citation) for citation in citations]
    on_page, deleted, absent = (about_quotes.count(badge) for badge in (ON_PAGE, DELETED, ABSENT))
    found = [
        (
            on_page,
            ngettext("{n} quote on the page", "{n} quotes on the page", on_page),
            ON_PAGE,
            CHIPS_ON_PAGE,
        ),
        (
            deleted,
            ngettext("{n} quote of a deleted file", "{n} quotes of deleted files", deleted),
            DELETED,
            ".chip.gone",
        ),
        (absent, ngettext("{n} without source", "{n} without source", absent), ABSENT, ".chip.nos"),
    ]
    return [
        Count(text=text.format(n=count), badge=badge, chips=chips)
        for count, text, badge, chips in found
        if count
    ]
