"""The line under an answer: how many statements are confirmed and by whom, and the list behind it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.models import Citation
from chat.web.answers import badges
from chat.web.answers.badges import Badge
from chat.web.answers.marked_words import differing, marked
from chat.wording import plain_claim, without_emphasis
from localization.lists import joined
from localization.numbers import numeral

# What most likely is wrong comes first.
RISK = (
    badges.CONTRADICTED,
    badges.ABSENT,
    badges.UNSOURCED,
    badges.NEEDS_EYE,
    badges.FACTS_AGREE,
    badges.BY_READER,
    badges.BY_CODE,
)
OF_READER = {"contradicts": 0, "neither": 1, "": 2, "supports": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A statement in the list, with the words marked that differ from its quote. Without a citation it is a
    sentence for which the answer names no source.
    """

    citation: Citation | None
    badge: Badge
    claim: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictLine:
    """rows: the riskiest first."""

    rows: Sequence[Row]

    @property
    def confirmed(self) -> int:
        return self._count(badges.BY_CODE) + self._count(badges.BY_READER)

    @property
    def headline(self) -> str:
        """“4 of 6 statements confirmed”."""
        told = ngettext(
            "{n} of {all} statement confirmed", "{n} of {all} statements confirmed", len(self.rows)
        )
        return told.format(n=self.confirmed, all=numeral(len(self.rows)))

    @property
    def rest(self) -> str:
        """What comes behind it: what is left for a person, else who has confirmed all."""
        if left := len(self.rows) - self.confirmed:
            return _("{n} for your eye first").format(n=left)
        return self.by_whom

    @property
    def by_whom(self) -> str:
        read = [row.citation for row in self.rows if row.badge is badges.BY_READER and row.citation]
        by_writer = sum(bool(citation.judge.get("writer")) for citation in read)
        by = (
            (self._count(badges.BY_CODE), _("{n} by code")),
            (len(read) - by_writer, _("{n} by a second reader")),
            (by_writer, _("{n} by the model that wrote them")),
        )
        return joined([told.format(n=count) for count, told in by if count])

    @property
    def spoken(self) -> str:
        """“4 of 6 statements confirmed, 1 contradicted, 1 for your eye”."""
        contradicted = self._count(badges.CONTRADICTED)
        eye = len(self.rows) - self.confirmed - contradicted
        said = [self.headline]
        said += (
            [ngettext("{n} contradicted", "{n} contradicted", contradicted).format(n=numeral(contradicted))]
            if contradicted
            else []
        )
        said += [_("{n} for your eye").format(n=eye)] if eye else []
        return joined(said)

    def _count(self, badge: Badge) -> int:
        return sum(row.badge is badge for row in self.rows)


def line_of(citations: Sequence[Citation], unsourced: Sequence[str]) -> VerdictLine | None:
    """unsourced: sentences of the answer without a citation. None where no claim has a citation, as with
    passages that are copied.
    """
    rows = [
        Row(citation=each, badge=badges.of(each), claim=marked(plain_claim(each), differing(each)))
        for each in citations
        if badges.of(each) in RISK and each.claim
    ]
    if not rows:
        return None
    rows += [
        Row(citation=None, badge=badges.UNSOURCED, claim=marked(without_emphasis(each), ()))
        for each in unsourced
    ]
    return VerdictLine(rows=sorted(rows, key=_risk))


def _risk(row: Row) -> tuple[int, int, int, int]:
    rank = RISK.index(row.badge)
    if (citation := row.citation) is None:
        return rank, 0, 0, 0
    failed = sum(not check["passed"] for check in citation.checks)
    return rank, OF_READER[citation.judge.get("verdict", "")], -failed, citation.n
