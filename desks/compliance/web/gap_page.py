"""What the page of a gap analysis shows: the tree on the left, the requirements, one of them opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy

from citations.place_in_file import shown_place
from datasources.access import people_of
from datasources.models import Datasource
from datasources.numbers import number_in
from desks.compliance.checks.evidence import HIDDEN, evidence_of
from desks.compliance.checks.groups import Chapter, Group, chapters_of
from desks.compliance.checks.last_check import last_check_of
from desks.compliance.checks.standing import Standing, above_each, counts_of, standings, standings_of
from desks.compliance.checks.subjects import selection_of
from desks.compliance.models import (
    Assessment,
    Attachment,
    Check,
    Evidence,
    EvidenceKind,
    Framework,
    Requirement,
    Subject,
    Verdict,
)
from desks.compliance.reports.lines import WORDS_OF_SUPPORT
from desks.compliance.web.bars import LOOKS, Bar, bar_of
from localization.numbers import numeral

ALL = "all"
MOST_ROWS = 60  # of a framework that is shown whole at first
FILTERS = (
    ("", pgettext_lazy("requirements", "All")),
    ("gaps", gettext_lazy("Gaps")),
    ("open", gettext_lazy("Not reviewed")),
)
PASSAGE = EvidenceKind.PASSAGE
VENDORS = 6  # compared beside the tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the tree."""

    head: Requirement
    count: int
    bar: Bar
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterEntry:
    head: Requirement
    bar: Bar
    entries: list[Entry]
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A requirement in the table."""

    standing: Standing
    evidence: Sequence[Evidence]
    is_hidden: bool
    look: tuple[str, str]

    @property
    def requirement(self) -> Requirement:
        return self.standing.requirement

    @property
    def is_nearest(self) -> bool:
        """Whether no model said that its evidence proves anything: these are the words that come nearest."""
        return bool(self.evidence) and all(each.kind == PASSAGE for each in self.evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the address asks for: a framework and a vendor, a part, a filter, a requirement."""

    framework: Framework | None
    subject: Subject | None
    at: str
    show: str
    opened: int | None


def choice_of(datasource: Datasource, asked: Mapping[str, Any]) -> Choice:
    """What is asked for but does not exist is ignored."""
    frameworks = list(frameworks_of(datasource))
    subjects = list(datasource.subjects.order_by("name"))
    return Choice(
        framework=_picked(frameworks, asked.get("framework")),
        subject=_picked(subjects, asked.get("vendor")),
        at=str(asked.get("at") or ""),
        show=str(asked.get("show") or ""),
        opened=number_in(asked.get("open")),
    )


def frameworks_of(datasource: Datasource) -> list[Framework]:
    rows = Attachment.objects.filter(datasource=datasource).select_related("framework")
    return sorted((row.framework for row in rows), key=lambda each: each.name)


def _picked(rows: Sequence[Any], number: Any) -> Any:
    return next((row for row in rows if row.pk == number_in(number)), rows[0] if rows else None)


def context_of(datasource: Datasource, choice: Choice) -> dict[str, Any]:
    """For compliance/gaps.html."""
    framework, subject = choice.framework, choice.subject
    context: dict[str, Any] = {
        "choice": choice,
        "framework": framework,
        "subject": subject,
        "frameworks": frameworks_of(datasource),
        "subjects": list(datasource.subjects.order_by("name")),
    }
    if framework is None:
        return context
    everything = list(framework.requirements.order_by("position"))
    chapters = chapters_of(everything)
    assessment = Assessment.objects.filter(framework=framework, subject=subject).first() if subject else None
    assessable = [row for row in everything if row.is_assessable]
    stood = (
        standings(assessment, assessable) if assessment else [Standing(requirement=row) for row in assessable]
    )
    by_pk = {each.requirement.pk: each for each in stood}
    group, members = _shown(chapters, choice)
    chosen = [by_pk[row.pk] for row in members]
    rows = _rows([each for each in chosen if _passes(each, choice.show)])
    selection = selection_of(subject) if subject else None
    last = last_check_of(assessment, selection, members) if assessment and selection else None
    context |= {
        "assessment": assessment,
        "group": group,
        "rows": rows,
        "total": len(chosen),
        "chapters": [_chapter(chapter, by_pk, group) for chapter in chapters],
        "all_bar": bar_of(counts_of(stood)),
        "all_count": len(stood),
        "sums": _sums(counts_of(chosen)),
        "bar": bar_of(counts_of(chosen)),
        "filters": [
            (value, label, _counted(chosen, value), value == choice.show) for value, label in FILTERS
        ],
        "not_judged": sum(not each.is_judged for each in chosen),
        "is_nearest": not any(row.evidence and not row.is_nearest for row in rows)
        and any(row.is_nearest for row in rows),
        "nearest": PASSAGE.label,
        "selection": selection,
        "last": last,
        "vendors": _vendors(datasource, framework, members, subject),
        "under_way": under_way(datasource),
    }
    opened = by_pk.get(choice.opened or 0)
    if assessment and (opened or rows):  # the first one is there for windows that have room for it
        shown = opened.requirement if opened else rows[0].requirement
        context |= pane_of(assessment, shown) | {"is_chosen": opened is not None}
    return context


def _shown(chapters: Sequence[Chapter], choice: Choice) -> tuple[Group | None, list[Requirement]]:
    """The part that is chosen: a group, a whole chapter as one, or all."""
    everything = [row for chapter in chapters for row in chapter.members]
    groups = [group for chapter in chapters for group in chapter.groups]
    opened = next((g for g in groups if any(row.pk == choice.opened for row in g.members)), None)
    if choice.at == ALL:
        return None, everything
    for chapter in chapters:
        for group in chapter.groups:
            if str(group.head.pk) == choice.at:
                return group, group.members
        if str(chapter.head.pk) == choice.at:
            return Group(head=chapter.head, members=chapter.members), chapter.members
    if opened:
        return opened, opened.members
    if len(everything) <= MOST_ROWS or not groups:
        return None, everything
    return groups[0], groups[0].members


def _counted(stood: Sequence[Standing], show: str) -> str:
    """How many pass the filter. Gaps that nobody has looked for are not 0."""
    count = sum(_passes(each, show) for each in stood)
    if show == "gaps" and not all(each.is_judged for each in stood):
        if not any(each.is_judged for each in stood):
            return _("(not judged)")
        return _("{n} so far").format(n=numeral(count))
    return numeral(count)


def _passes(standing: Standing, show: str) -> bool:
    match show:
        case "gaps":
            return standing.is_gap
        case "open":
            return standing.is_checked and not standing.is_reviewed
    return True


def _rows(stood: Sequence[Standing]) -> list[Row]:
    shown = evidence_of(each.finding for each in stood)
    rows = []
    for each in stood:
        told = shown.get(each.finding.pk) if each.finding else None
        look = LOOKS[each.verdict] if each.verdict else ("", "clock")
        rows.append(
            Row(
                standing=each,
                evidence=told.rows if told else (),
                is_hidden=bool(told and told.is_hidden),
                look=look,
            )
        )
    return rows


def _chapter(chapter: Chapter, by_pk: Mapping[int, Standing], current: Group | None) -> ChapterEntry:
    entries = [
        Entry(
            head=group.head,
            count=len(group.members),
            bar=bar_of(counts_of(by_pk[row.pk] for row in group.members)),
            is_current=current is not None and current.head.pk == group.head.pk,
        )
        for group in chapter.groups
    ]
    return ChapterEntry(
        head=chapter.head,
        bar=bar_of(counts_of(by_pk[row.pk] for row in chapter.members)),
        entries=entries,
        is_open=any(entry.is_current for entry in entries),
    )


def _sums(counts: Mapping[str, int]) -> list[tuple[int, Verdict, str]]:
    """Number, verdict and look; covered, partial and missing also where there are none."""
    always = (Verdict.COVERED, Verdict.PARTIAL, Verdict.MISSING)
    return [
        (counts.get(verdict, 0), verdict, LOOKS[verdict][0])
        for verdict in LOOKS
        if counts.get(verdict) or (verdict in always and Verdict.TO_JUDGE not in counts)
    ]


def _vendors(
    datasource: Datasource, framework: Framework, members: Sequence[Requirement], subject: Subject | None
) -> list[tuple[Subject, Bar]]:
    """Vendors that were checked against the same requirements."""
    assessed = Assessment.objects.filter(datasource=datasource, framework=framework).select_related("subject")
    rows = list(assessed[: VENDORS + 1])
    if len(rows) < 2:
        return []
    stood = standings_of(rows[:VENDORS], members)
    return [(each.subject, bar_of(counts_of(stood[each.pk]))) for each in rows[:VENDORS]]


def under_way(datasource: Datasource) -> list[tuple[Check, int, int]]:
    """Checks that run or wait, each with how many requirements it has looked at, of how many."""
    rows = Check.objects.filter(assessment__datasource=datasource, status__in=Check.unfinished)
    return [
        (row, min(row.total, row.unchanged + row.findings.count()), row.total)
        for row in rows.select_related("assessment__subject", "assessment__framework").order_by("pk")
    ]


def pane_of(assessment: Assessment, requirement: Requirement) -> dict[str, Any]:
    """For compliance/_requirement.html."""
    standing = standings(assessment, [requirement], whole=True)[0]
    finding = standing.finding
    shown = evidence_of([finding])[finding.pk] if finding else None
    is_hidden = bool(shown and shown.is_hidden)
    parts = [] if finding is None or is_hidden else finding.parts
    everything = assessment.framework.requirements.order_by("position")
    reviews = assessment.reviews.filter(requirement=requirement).select_related("person", "assignee")
    return {
        "standing": standing,
        "requirement": requirement,
        "finding": finding,
        "is_hidden": is_hidden,
        "hidden_words": HIDDEN,
        "above": above_each(everything)[requirement.pk],
        "pane_look": LOOKS[standing.verdict] if standing.verdict else ("", "clock"),
        "evidence": [(row, *_says(row), _place(row)) for row in shown.rows] if shown else [],
        "parts": [(part, Verdict(part["verdict"]), LOOKS[Verdict(part["verdict"])]) for part in parts],
        "reviews": list(reviews.order_by("-pk")[:20]),
        "verdicts": [each for each in Verdict if each != Verdict.TO_JUDGE],
        "people": people_of(assessment.datasource),
        "can_agree": finding is not None and finding.verdict != Verdict.TO_JUDGE and not standing.is_reviewed,
    }


def _says(row: Evidence) -> tuple[str, str]:
    """What was checked of a quote in words, and how that looks."""
    looks = {"supported": "ok", "contradicted": "bad", "needs_your_eye": "warn"}
    words = WORDS_OF_SUPPORT.get(row.support, gettext_noop("On the page"))  # type: ignore[call-overload]
    return _(str(words)), looks.get(row.support, "")


def _place(row: Evidence) -> str:
    """What the file calls it, see citations.place_in_file."""
    return shown_place(row.document, row.pages, row.start, row.end)
