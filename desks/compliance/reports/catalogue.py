"""What a report has: its head, and its lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from desks.compliance.checks.last_check import last_check_of
from desks.compliance.checks.standing import counts_of, standings
from desks.compliance.checks.subjects import selection_of
from desks.compliance.models import Assessment, Requirement, Verdict
from desks.compliance.reports.lines import NOT_CHECKED, Line, lines_of, written
from localization.lists import joined
from localization.numbers import numeral

DRAFT = gettext_noop("Wording to close the gap, a draft")


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
        return _("{vendor} against {framework}").format(vendor=self.vendor, framework=self.framework)

    @property
    def summary(self) -> str:
        """How it came about, in a sentence."""
        checked = ngettext(
            "{n} point, checked in the documents “{vendor}” of “{datasource}”.",
            "{n} points, checked in the documents “{vendor}” of “{datasource}”.",
            len(self.lines),
        )
        searched = ngettext("{n} document was searched.", "{n} documents were searched.", self.searched)
        judged = _("Judged by {model}.") if self.model else _("Without a language model: people judge.")
        changed = _("The documents have changed: {changes}. Check again.") if self.changes else ""
        told = [
            f"{self.scope}.",
            checked.format(n=numeral(len(self.lines)), vendor=self.vendor, datasource=self.datasource),
            searched.format(n=numeral(self.searched)),
            _("Last checked: {time}.").format(time=self.checked),
            judged.format(model=self.model),
            changed.format(changes=self.changes),
            _("Quotes were compared with the pages letter by letter; people's verdicts replace the model's."),
        ]
        return " ".join(filter(None, told))

    @property
    def sums(self) -> str:
        return joined(
            [_("{name}: {n}").format(name=name, n=numeral(count)) for name, count in self.counts.items()]
        )


def report_of(assessment: Assessment, requirements: Sequence[Requirement], scope: str) -> Report:
    stood = standings(assessment, requirements, whole=True)
    selection = selection_of(assessment.subject)
    counts = counts_of(stood)
    last = last_check_of(assessment, selection, requirements)
    ended = last.check.finished if last else None
    labels = {str(each): str(each.label) for each in Verdict} | {"unchecked": _(NOT_CHECKED)}
    return Report(
        framework=assessment.framework.name,
        vendor=assessment.subject.name,
        scope=scope or _("The whole list"),
        datasource=assessment.datasource.name,
        checked=written(ended) if ended else pgettext("checked", "never"),
        model=last.check.model if last else "",
        made=localtime(),
        counts={label: counts[name] for name, label in labels.items() if name in counts},
        documents=[(row.title, row.sha256) for row in selection.documents],
        searched=last.documents if last else 0,
        changes=last.changes if last else "",
        lines=lines_of(stood),
    )
