"""What a report has: its head, and its lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from compliance.checks.standing import counts_of, standings
from compliance.checks.subjects import selection_of
from compliance.models import Assessment, Requirement, Verdict
from compliance.reports.lines import Line, lines_of
from text.counted import counted

DRAFT = "Wording to close the gap, a draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`documents`: title and SHA-256 of each that was searched. counts: by the words of the verdict."""

    framework: str
    vendor: str
    scope: str
    datasource: str
    checked: str
    model: str
    made: datetime
    counts: dict[str, int]
    documents: list[tuple[str, str]]
    added_since: int
    lines: list[Line]

    @property
    def title(self) -> str:
        return f"{self.vendor} against {self.framework}"

    @property
    def told(self) -> str:
        """How it came about, in a sentence."""
        verb = "was" if self.added_since == 1 else "were"
        since = (
            f" {counted(self.added_since, 'document')} of these came after that and {verb} not searched."
            if self.added_since
            else ""
        )
        by = f"judged by {self.model}" if self.model else "without a language model: people judge"
        return (
            f"{self.scope}. {len(self.lines):,} requirements checked against {len(self.documents):,} "
            f"documents of {self.vendor} in “{self.datasource}”, last checked {self.checked}, {by}.{since} "
            "Quotes were compared with the pages letter by letter; people's verdicts replace the model's."
        )

    @property
    def sums(self) -> str:
        return ", ".join(f"{name}: {count}" for name, count in self.counts.items())


def report_of(assessment: Assessment, requirements: Sequence[Requirement], scope: str) -> Report:
    stood = standings(assessment, requirements, whole=True)
    selection = selection_of(assessment.subject)
    counts = counts_of(stood)
    last = assessment.checks.filter(finished__isnull=False).first()
    labels = {str(each): str(each.label) for each in Verdict} | {"unchecked": "Not checked"}
    return Report(
        framework=assessment.framework.name,
        vendor=assessment.subject.name,
        scope=scope or "The whole framework",
        datasource=assessment.datasource.name,
        checked=timezone.localtime(last.finished).strftime("%Y-%m-%d %H:%M %Z")
        if last and last.finished
        else "never",
        model=last.model if last else "",
        made=timezone.localtime(),
        counts={label: counts[name] for name, label in labels.items() if name in counts},
        documents=[(row.title, row.sha256) for row in selection.documents],
        added_since=selection.added_since(last),
        lines=lines_of(stood),
    )
