"""What the last check of an assessment has searched, and how the documents differ from that by now."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Min, Q
from django.utils.translation import gettext as _

from desks.compliance.checks.standing import above_each
from desks.compliance.checks.subjects import Selection
from desks.compliance.models import Assessment, Check, CheckStatus, Requirement
from localization.numbers import numeral


@dataclass(frozen=True, slots=True, kw_only=True)
class LastCheck:
    """`documents`: how many it searched. `added`, `gone`: how many came and went after it began."""

    check: Check
    documents: int
    added: int
    gone: int

    @property
    def changes(self) -> str:
        """“2 added since, 1 gone”, or nothing."""
        if self.added and self.gone:
            words = _("{added} added since, {gone} gone")
        elif self.added:
            words = _("{added} added since")
        else:
            words = _("{gone} gone since") if self.gone else ""
        return words.format(added=numeral(self.added), gone=numeral(self.gone))


def last_check_of(
    assessment: Assessment, selection: Selection, shown: Collection[Requirement]
) -> LastCheck | None:
    """The last that went to its end and looked at all that is shown.

    One that was stopped, or looked at a part, says nothing of the rest: it counts where there is no better
    one.
    """
    ended = assessment.checks.filter(finished__isnull=False)
    reaches = Q(scope=None) | Q(scope__in=_nodes_over(assessment, shown))
    check = ended.filter(reaches, status=CheckStatus.DONE).first() or ended.first()
    if check is None:
        return None
    documents = _searched(check, shown)
    added = sum(row.ready_at is not None and row.ready_at > check.created for row in selection.documents)
    gone = max(0, documents + added - len(selection.documents))
    return LastCheck(check=check, documents=documents, added=added, gone=gone)


def _nodes_over(assessment: Assessment, shown: Collection[Requirement]) -> set[int]:
    """Nodes of the framework that have all of these at or below them."""
    above = above_each(assessment.framework.requirements.order_by("position"))
    paths = [{row.pk, *(node.pk for node in above[row.pk])} for row in shown]
    return set.intersection(*paths) if paths else set()


def _searched(check: Check, shown: Collection[Requirement]) -> int:
    """A check writes no finding where nothing has changed: the one before it is of the same documents."""
    own = check.findings.aggregate(documents=Min("documents"))["documents"]
    if own is None:
        rows = check.assessment.findings.filter(requirement__in=shown, is_current=True)
        own = rows.aggregate(documents=Min("documents"))["documents"]
    return int(own or 0)
