"""What a report has: its head, and its lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from compliance.checks.last_check import last_check_of
from compliance.checks.standing import counts_of, standings
from compliance.checks.subjects import selection_of
from compliance.models import Assessment, Requirement, Verdict
from compliance.reports.lines import Line, lines_of
from text.counted import counted

DRAFT = "Wording to close the gap, a draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`documents`: title and SHA-256 of each that is there now; `searched`: how many there were at the last
    check; `changes`: since then. counts: by the words of the verdict.
    """

    framework: str
    vendor: str
    scope: str
    datasource: str
    checked: str
    model: str
    made: datetime
    counts: dict[str, int]
    documents: list[tuple[str, str]]
    searched: int
    changes: str
    lines: list[Line]

    @property
    def title(self) -> str:
        return f"{self.vendor} against {self.framework}"

    @property
    def told(self) -> str:
        """How it came about, in a sentence."""
        since = f" The documents have changed: {self.changes}. Check again." if self.changes else ""
        by = f"judged by {self.model}" if self.model else "without a language model: people judge"
        return (
            f"{self.scope}. {counted(len(self.lines), 'requirement')} checked against "
            f"{counted(self.searched, 'document')} in “{self.datasource}” ({self.vendor}), last checked "
            f"{self.checked}, {by}.{since} "
            "Quotes were compared with the pages letter by letter; people's verdicts replace the model's."
        )

    @property
    def sums(self) -> str:
        return ", ".join(f"{name}: {count}" for name, count in self.counts.items())


def report_of(assessment: Assessment, requirements: Sequence[Requirement], scope: str) -> Report:
    stood = standings(assessment, requirements, whole=True)
    selection = selection_of(assessment.subject)
    counts = counts_of(stood)
    last = last_check_of(assessment, selection, requirements)
    ended = last.check.finished if last else None
    labels = {str(each): str(each.label) for each in Verdict} | {"unchecked": "Not checked"}
    return Report(
        framework=assessment.framework.name,
        vendor=assessment.subject.name,
        scope=scope or "The whole framework",
        datasource=assessment.datasource.name,
        checked=timezone.localtime(ended).strftime("%Y-%m-%d %H:%M %Z") if ended else "never",
        model=last.check.model if last else "",
        made=timezone.localtime(),
        counts={label: counts[name] for name, label in labels.items() if name in counts},
        documents=[(row.title, row.sha256) for row in selection.documents],
        searched=last.documents if last else 0,
        changes=last.changes if last else "",
        lines=lines_of(stood),
    )
