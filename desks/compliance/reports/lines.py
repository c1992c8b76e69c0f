"""An assessment as plain values, a line for each requirement. In the language of now: that of the reader of a
report; that of REST and the command line is English.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from citations.choices import OnPage, Support
from desks.compliance.checks.evidence import HIDDEN, Shown, evidence_of
from desks.compliance.checks.standing import Standing
from desks.compliance.models import Evidence, EvidenceKind, ReviewKind, Verdict
from localization.lists import joined
from localization.stored import told

NOT_CHECKED = gettext_noop("Not checked")
WORDS_OF_SUPPORT = {
    Support.SUPPORTED: gettext_noop("Supports the statement"),
    Support.FACTS_AGREE: gettext_noop("Facts agree, wording differs"),
    Support.CONTRADICTED: gettext_noop("Contradicts the statement"),
    Support.NEEDS_EYE: gettext_noop("Needs your eye"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Words of a document. `says`: what was checked of them; `part`: of the requirement, from 1."""

    n: int
    part: int
    document: int
    title: str
    page: int
    pages: list[int]
    quote: str
    sha256: str
    kind: str
    on_page: str
    says: str
    reason: str

    @property
    def told(self) -> str:
        """The line below the quote."""
        told = _("{title}, page {pages}. {remark}. SHA-256 {hash}")
        pages = joined([str(page) for page in self.pages])
        return told.format(title=self.title, pages=pages, remark=self.says, hash=self.sha256)

    @property
    def on_one_line(self) -> str:
        """The quote without the line ends of its page."""
        return " ".join(self.quote.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    text: str
    verdict: str
    statement: str
    reason: str

    @property
    def in_words(self) -> str:
        text = self.text if self.text.endswith((".", "?", "!")) else f"{self.text}."
        told = _("{remark}: {reason}").format(
            remark=self.verdict, reason=f"{text} {self.statement} {self.reason}"
        )
        return " ".join(told.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One requirement. `verdict` is a person's where there is one, `found` that of the last check."""

    requirement: int
    ref: str
    title: str
    text: str
    domain: str
    verdict: str
    found: str
    difference: str
    reason: str
    parts: list[PartLine]
    evidence: list[Quoted]
    draft: str
    model: str
    checked: datetime | None
    reviewed_by: str
    reviewed: datetime | None
    review_reason: str
    assigned_to: str

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        moments = {"checked": _for_programs(self.checked), "reviewed": _for_programs(self.reviewed)}
        return asdict(self) | moments

    @property
    def remarks(self) -> list[str]:
        """What a later check and a person said of it, and why."""
        later = _("A later check found: {difference}") if self.difference else ""
        reviewed = _("Reviewed by {person}, {time}. {reason}") if self.reviewed_by else ""
        time = written(self.reviewed)
        told = [
            later.format(difference=self.difference),
            reviewed.format(person=self.reviewed_by, time=time, reason=self.review_reason).strip(),
            self.reason,
        ]
        return [each for each in told if each]

    @property
    def broken_down(self) -> list[str]:
        """Its parts in sentences; none where the only part is the requirement, of which nothing is said."""
        told = [each.in_words for each in self.parts]
        itself = PartLine(text=self.text, verdict=self.verdict, statement="", reason="").in_words
        return [] if told == [itself] else told


def line_of(standing: Standing) -> Line:
    return lines_of([standing])[0]


def lines_of(standings: Sequence[Standing]) -> list[Line]:
    shown = evidence_of(standing.finding for standing in standings)
    return [
        _line(standing, shown.get(standing.finding.pk, Shown()) if standing.finding else Shown())
        for standing in standings
    ]


def _line(standing: Standing, shown: Shown) -> Line:
    row, finding, review = standing.requirement, standing.finding, standing.review
    is_told = finding is not None and not shown.is_hidden
    return Line(
        requirement=row.pk,
        ref=row.ref,
        title=row.title,
        text=row.text,
        domain=row.domain,
        verdict=_label(standing.verdict),
        found=_label(Verdict(finding.verdict) if finding else None),
        difference=str(standing.difference.label) if standing.difference else "",
        reason=(finding.why_failed or told(finding.reason) if is_told else _(HIDDEN)) if finding else "",
        parts=[_part(part) for part in finding.parts] if finding and is_told else [],
        evidence=[quoted(each) for each in shown.rows],
        draft=finding.draft if finding and is_told else "",
        model=finding.model if finding else "",
        checked=finding.created if finding else None,
        reviewed_by=str(review.person or _("deleted account")) if review else "",
        reviewed=review.created if review else None,
        review_reason=review.reason if review and review.kind == ReviewKind.CHANGE else "",
        assigned_to=str(standing.assigned.assignee or "") if standing.assigned else "",
    )


def _part(part: dict[str, Any]) -> PartLine:
    return PartLine(
        text=part["text"],
        verdict=_label(Verdict(part["verdict"])),
        statement=part["statement"],
        reason=told(part["reason"]),
    )


def quoted(row: Evidence) -> Quoted:
    says = str(OnPage(row.on_page).label)
    if row.kind == EvidenceKind.PASSAGE:
        says = _("Nearest words, to be judged")
    elif row.support in WORDS_OF_SUPPORT:
        says = _(WORDS_OF_SUPPORT[Support(row.support)])
    return Quoted(
        n=row.n,
        part=row.part + 1,
        document=row.document_id,
        title=row.title,
        page=row.pages[0] if row.pages else 0,
        pages=list(row.pages),
        quote=row.quote,
        sha256=row.sha256,
        kind=row.kind,
        on_page=row.on_page,
        says=str(says),
        reason=told(row.reason),
    )


def _label(verdict: Verdict | None) -> str:
    return str(verdict.label) if verdict else _(NOT_CHECKED)


def written(moment: datetime | None) -> str:
    """As the language of now writes it; "" for none."""
    return date_format(localtime(moment), "j M Y H:i e") if moment else ""


def _for_programs(moment: datetime | None) -> str:
    return localtime(moment).strftime("%Y-%m-%d %H:%M %Z") if moment else ""
