"""An assessment as plain values, a line for each requirement, for reports, REST and the command line."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from citations.choices import OnPage, Support
from compliance.checks.evidence import HIDDEN, Shown, evidence_of
from compliance.checks.standing import Standing
from compliance.models import Evidence, EvidenceKind, ReviewKind, Verdict

NOT_CHECKED = "Not checked"
WORDS_OF_SUPPORT = {
    Support.SUPPORTED: "Supports the statement",
    Support.FACTS_AGREE: "Facts agree, wording differs",
    Support.CONTRADICTED: "Contradicts the statement",
    Support.NEEDS_EYE: "Needs your eye",
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
    def told(self) -> str:
        text = self.text if self.text.endswith((".", "?", "!")) else f"{self.text}."
        return " ".join(f"{self.verdict}: {text} {self.statement} {self.reason}".split())


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
    checked: str
    reviewed_by: str
    reviewed: str
    review_reason: str
    assigned_to: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def broken_down(self) -> list[str]:
        """Its parts in sentences; none where the only part is the requirement, of which nothing is said."""
        told = [each.told for each in self.parts]
        itself = PartLine(text=self.text, verdict=self.verdict, statement="", reason="").told
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
        reason=(finding.error or finding.reason if is_told else HIDDEN) if finding else "",
        parts=[_part(part) for part in finding.parts] if finding and is_told else [],
        evidence=[quoted(each) for each in shown.rows],
        draft=finding.draft if finding and is_told else "",
        model=finding.model if finding else "",
        checked=_moment(finding.created) if finding else "",
        reviewed_by=str(review.person or "deleted account") if review else "",
        reviewed=_moment(review.created) if review else "",
        review_reason=review.reason if review and review.kind == ReviewKind.CHANGE else "",
        assigned_to=str(standing.assigned.assignee or "") if standing.assigned else "",
    )


def _part(part: dict[str, Any]) -> PartLine:
    return PartLine(
        text=part["text"],
        verdict=_label(Verdict(part["verdict"])),
        statement=part["statement"],
        reason=part["reason"],
    )


def quoted(row: Evidence) -> Quoted:
    says = OnPage(row.on_page).label
    if row.kind == EvidenceKind.PASSAGE:
        says = "Nearest words, to be judged"
    elif row.support in WORDS_OF_SUPPORT:
        says = WORDS_OF_SUPPORT[Support(row.support)]
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
        reason=row.reason,
    )


def _label(verdict: Verdict | None) -> str:
    return str(verdict.label) if verdict else NOT_CHECKED


def _moment(moment: Any) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M %Z")
