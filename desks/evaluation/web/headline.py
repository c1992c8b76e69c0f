"""The beginning of the evaluation page: three numbers, and the questions to look at first."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from django.utils.html import strip_tags
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.web.answers.rendering import blocks
from citations.marks import without_marks
from desks.evaluation.models import GoldQuote, Kind, Result, Run
from desks.evaluation.reports.comparison import Row
from desks.evaluation.reports.headline import Became, Headline, Look, headline_of, worth_a_look
from localization.numbers import numeral

LOOKED_AT = 10  # questions; the others are in the list of all
LONGEST = 160  # characters shown of an answer
ALIKE = 80  # so many at the beginning of both are said once, before where they part
BEFORE = 4  # words that stay of them
SQUARES = 40  # questions that are drawn one by one
ICONS = {
    Became.WRONG: "x",
    Became.FAILED: "triangle-alert",
    Became.MISSED: "search-x",
    Became.UNUSED: "eye",
    Became.PARTLY: "eye",
    Became.UNMEASURED: "trash-2",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """So many of so many questions. look: the colour of those counted. before: the same in the other run."""

    label: str
    count: int
    of: int
    means: str
    look: str
    before: int | None = None

    @property
    def squares(self) -> list[bool]:
        """One for each question, those counted first; empty where there are too many to draw."""
        return [place < self.count for place in range(self.of)] if self.of <= SQUARES else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A question to look at: what was said, what was expected, where that stands."""

    look: Look
    said: str
    expected: str
    gold: GoldQuote | None

    @property
    def icon(self) -> str:
        return ICONS[self.look.became]

    @property
    def showed(self) -> bool:
        """Passages are shown, sentences are said."""
        return self.look.result.outcome == "quotes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    headline: Headline
    numbers: list[Number]
    shown: list[Shown]
    more: int

    @property
    def looked_at(self) -> str:
        every = len(self.shown) + self.more
        words = ngettext(
            "{n} of {asked} question, wrong ones first",
            "{n} of {asked} questions, wrong ones first",
            self.headline.asked,
        )
        return words.format(n=every, asked=numeral(self.headline.asked))


def beginning_of(run: Run, against: Run | None, rows: Sequence[Row]) -> Beginning | None:
    """None until a question has its result. With the other run's numbers where both asked the same."""
    if not rows:
        return None
    now = headline_of(run, [row.after for row in rows])
    earlier = [row.before for row in rows if row.before]
    same = against is not None and len(earlier) == len(rows)
    before = headline_of(against, earlier) if against and same else None
    looks = worth_a_look(run, [row.after for row in rows])
    return Beginning(
        headline=now,
        numbers=_numbers(now, before),
        shown=_shown(looks[:LOOKED_AT]),
        more=len(looks[LOOKED_AT:]),
    )


def _numbers(now: Headline, before: Headline | None) -> list[Number]:
    found = Number(
        label=_("Right passage found"),
        count=now.found,
        of=now.with_source,
        means=_("A passage with the expected answer was among those read.")
        if now.answers
        else _("A passage with the expected answer was among the first five."),
        look="ok",
        before=before.found if before else None,
    )
    if not now.answers:
        return [found]
    means = [_("It has all that you expect, or says rightly that the documents don't say it.")]
    if now.refused:
        more = ngettext("{n} more said “not found”.", "{n} more said “not found”.", now.refused)
        means.append(more.format(n=now.refused))
    right = Number(
        label=_("Answered as expected"),
        count=now.right,
        of=now.asked,
        means=" ".join(means),
        look="ok",
        before=before.right if before else None,
    )
    wrong = Number(
        label=_("Wrongly answered"),
        count=now.wrong,
        of=now.asked,
        means=_("The answer has nothing of what you expect. Look at these first.")
        if now.wrong
        else _("Every answer has something of what you expect."),
        look="bad",
        before=before.wrong if before else None,
    )
    return [found, right, wrong]


def _shown(looks: Sequence[Look]) -> list[Shown]:
    """With what is left out of the rows elsewhere, read at once for all."""
    answers = dict(
        Result.objects.filter(pk__in=[look.result.pk for look in looks]).values_list("pk", "answer")
    )
    proofs: dict[int, GoldQuote] = {}
    for gold in GoldQuote.objects.filter(question__in=[look.result.question_id for look in looks]):
        proofs.setdefault(gold.question_id, gold)
    shown = []
    for look in looks:
        answer = "" if look.result.refused else _plain(answers[look.result.pk])
        said, expected = parted(answer, look.result.question.reference)
        proof = proofs.get(look.result.question_id) if look.result.question.kind != Kind.NONE else None
        shown.append(Shown(look=look, said=said, expected=expected, gold=proof))
    return shown


def parted(said: str, expected: str) -> tuple[str, str]:
    """Both short enough for a row, and from where they differ if they begin alike for long."""
    one, other = said.split(), expected.split()
    alike = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    skipped = alike - BEFORE
    if one == other or len(" ".join(one[:alike])) < ALIKE:
        return _shortened(said), _shortened(expected)
    return f"… {_shortened(' '.join(one[skipped:]))}", f"… {_shortened(' '.join(other[skipped:]))}"


def _plain(answer: str) -> str:
    """The words of the answer's Markdown."""
    return unescape(strip_tags(" ".join(blocks(without_marks(answer)))))


def _shortened(text: str) -> str:
    return Truncator(" ".join(text.split())).chars(LONGEST).rstrip(".")
