"""A check under way: requirement after requirement, each finding written as soon as it is there.

It goes on from what is written, so a worker that is killed costs the requirements it was at, and no reply of
a model twice. What has not changed since the last check is not looked at again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from decimal import Decimal
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from chat.answering.cleaning.cleaner import Cleaner
from chat.models import AnswerSettings
from compliance.checks.asking import SCHEMA, key_of, messages_of, read_answer
from compliance.checks.masking import mask_finding
from compliance.checks.outcome import Outcome, judged, nearest_passages
from compliance.checks.queueing import defer_check
from compliance.checks.replies import keep, kept
from compliance.checks.scope import requirements_in
from compliance.checks.searching import Searched, search
from compliance.checks.standing import above_each, content_of, counts_of, current_findings, standings
from compliance.checks.subjects import selection_of
from compliance.models import Check, CheckStatus, Evidence, Finding, PaidReply, Requirement, Verdict
from datasources.editors import no_editor
from datasources.models import Document
from jobs.failures import Failure, is_transient
from jobs.runs import FencedRun, claim
from jobs.slices import is_over, side_by_side, work_a_slice
from jobs.threads import Pool
from providers.embedders import embedder
from providers.language_models import structured_model
from providers.openai.tokens import estimated_tokens
from providers.protocols import ProviderError, StructuredModel, Usage
from providers.roles import ModelRole
from providers.spending.metering import Payer
from providers.spending.models import Purpose
from providers.spending.prices import Prices
from retrieval.query import Scope
from text.normal_forms.storable import storable

logger = logging.getLogger(__name__)

WORK = Pool("assessments", 3, niceness=5)  # people who wait for an answer come first
AT_ONCE = 4  # requirements with a model, which waits most of the time; a search keeps a core busy
IN_A_ROW = 3  # requirements that fail one after the other: then the check does
ANSWER_TOKENS = 900  # that an answer is expected to have
OTHER_MODEL = Failure(
    code="other_model",
    message="The model that this check began with is not available: another is set, or a budget is used up.",
    hint="What was found is kept. Go on once it is back, or check again.",
)
NO_DOCUMENTS = Failure(
    code="no_documents",
    message="None of the vendor's documents can be searched: they were deleted, or are not read yet.",
    hint="What was found is kept. Add documents to the vendor, and check again.",
)


def model_of(check: Check) -> StructuredModel | None:
    """The model that judges, charged to who asked; None where no language model is set."""
    datasource = check.assessment.datasource
    person = check.asked_by_id or datasource.owner_id
    payer = Payer(person=person, datasource=datasource.pk, purpose=Purpose.ASSESSMENT)
    return structured_model(datasource, ModelRole.AGENT, payer)


class Checking(FencedRun[Check]):
    """Created by `begin`."""

    activity = "Checking"
    advice = "What was found is kept. Go on with the check"
    deadly = "This stopped its worker several times, so it is not tried again."
    max_deaths = 5

    def __init__(self, row: Check) -> None:
        super().__init__(row)
        assessment = row.assessment
        datasource = assessment.datasource
        self.model = model_of(row)
        self.embedder = embedder(datasource)
        self.selection = selection_of(assessment.subject)
        self.files = [document.sha256 for document in self.selection.documents]
        person = row.asked_by_id or datasource.owner_id
        self.scope = Scope(user_id=person, datasource_id=datasource.pk, document_ids=self.selection.ids)
        self.policy = AnswerSettings.objects.of(datasource).personal_data
        self.above = above_each(assessment.framework.requirements.order_by("position"))
        self.failed_in_a_row = 0
        self.reserved: dict[int, int] = {}  # tokens of calls whose findings are not written yet
        self.room = asyncio.Condition()  # in the budgets
        self.is_held = False

    @property
    def at_once(self) -> int:
        return AT_ONCE if self.model else 1

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there."""

    def content(self, requirement: Requirement) -> str:
        return content_of(requirement, self.above[requirement.pk], self.files)

    def cleaner(self) -> Cleaner:
        return Cleaner(policy=self.policy, markup=self.model is not None)

    def money(self, usage: Usage) -> Decimal | None:
        """None where no price is known."""
        return Prices.of_json(self.row.prices).of(usage)

    def fits(self, expected: int) -> bool:
        """Whether a call of so many tokens keeps within the budgets, those under way counted in."""
        tokens, money = Check.objects.values_list("spent_tokens", "spent_money").get(pk=self.row.pk)
        ahead, answers = sum(self.reserved.values()) + expected, ANSWER_TOKENS * (len(self.reserved) + 1)
        price = self.money(Usage(prompt_tokens=ahead - answers, completion_tokens=answers))
        too_many = self.row.token_budget is not None and tokens + ahead > self.row.token_budget
        too_dear = self.row.money_budget is not None and money + (price or 0) > self.row.money_budget
        return not (too_many or too_dear)


@transaction.atomic
def begin(check_id: int) -> Checking | None:
    """Take over the check from any other worker; None if it has ended or was deleted."""
    rows = Check.objects.select_related(
        "assessment__datasource__owner",
        "assessment__framework",
        "assessment__subject__datasource",
        "asked_by",
        "scope__framework",
    )
    row = claim(rows.filter(pk=check_id).order_by())
    if row is None:
        return None
    run = Checking(row)
    if run.gives_up():
        return None
    if refused := no_editor(row.assessment.datasource, row.asked_by, "Another editor can check again."):
        run.fail(refused)
    elif not run.selection.documents:
        run.fail(NO_DOCUMENTS)
    elif (run.model.name if run.model else "") != row.model:
        run.fail(OTHER_MODEL)
    else:
        values: dict[str, object] = {"status": CheckStatus.RUNNING}
        if not Finding.objects.filter(made_in=row).exists():
            requirements = requirements_in(row.assessment.framework, row.scope)
            values |= {"total": len(requirements), "unchanged": len(requirements) - len(waiting(run))}
        row.write(**values)
        return run
    return None


def waiting(run: Checking) -> list[Requirement]:
    """Those of the scope that this check has to look at, in order."""
    requirements = requirements_in(run.row.assessment.framework, run.row.scope)
    done = set(Finding.objects.filter(made_in=run.row).values_list("requirement", flat=True))
    own = run.row.assessment
    current = current_findings([own], requirements)
    return [
        row
        for row in requirements
        if row.pk not in done and not _is_unchanged(run, row, current.get((own.pk, row.pk)))
    ]


def _is_unchanged(run: Checking, requirement: Requirement, finding: Finding | None) -> bool:
    """A verdict by a model also stays valid while no model is connected."""
    if finding is None or finding.error or finding.content != run.content(requirement):
        return False
    return finding.model == run.row.model or not run.row.model


async def carry_on(check_id: int, seconds: float | None = None) -> None:
    """Go on with a check: for so many seconds, then its job is queued again and others have a turn. None: to
    its end. Raises what `FencedRun.settle` raises while another attempt may help, and CancelledError.
    """
    await work_a_slice(WORK, partial(begin, check_id), _look_at_all, _end, seconds)


async def _look_at_all(run: Checking, deadline: float | None) -> None:
    left = iter(await WORK.run(waiting, run))
    async with run.model or contextlib.nullcontext():
        await side_by_side(run.at_once, lambda: _look_in_turn(run, left, deadline))


async def _look_in_turn(run: Checking, left: Iterator[Requirement], deadline: float | None) -> None:
    for requirement in left:
        if run.is_held or is_over(deadline):
            return
        try:
            await _look_at(run, requirement)
        finally:
            async with run.room:
                run.reserved.pop(requirement.pk, None)
                run.room.notify_all()


async def _look_at(run: Checking, requirement: Requirement) -> None:
    searched = await WORK.run(search, requirement, run.above[requirement.pk], run.scope, run.embedder)
    finding = Finding(
        assessment=run.row.assessment,
        requirement=requirement,
        made_in=run.row,
        model=run.row.model,
        content=run.content(requirement),
        documents=len(run.selection.documents),
        unread=run.selection.unread,
    )
    if run.model is None:
        outcome = await WORK.run(nearest_passages, searched, run.cleaner())
    else:
        try:
            answered = await _answered(run, run.model, requirement, searched, finding)
        except ProviderError as error:
            if is_transient(error):
                raise
            run.failed_in_a_row += 1
            if run.failed_in_a_row >= IN_A_ROW:
                raise
            logger.warning("requirement %s of check %s: %s", requirement.pk, run.row.pk, error.message)
            outcome = Outcome(verdict=Verdict.TO_JUDGE)
            finding.error = error.message[:500]
        else:
            if answered is None:
                return
            run.failed_in_a_row = 0
            outcome = answered
    await WORK.run(_record, run, finding, outcome)


async def _answered(
    run: Checking, model: StructuredModel, requirement: Requirement, searched: Searched, finding: Finding
) -> Outcome | None:
    """What the model says, asked at most once for the same words; None where the budget does not allow it."""
    messages = messages_of(requirement, run.above[requirement.pk], searched)
    finding.request = key_of(model.name, messages)
    answer, usage, is_reused = "", Usage(), False
    if earlier := await WORK.run(_earlier, run, finding):
        answer, is_reused = earlier, True
    elif told := await WORK.run(kept, run.row, requirement, finding.request):
        answer, usage = told
    else:
        expected = sum(estimated_tokens(message.content) for message in messages) + ANSWER_TOKENS
        if not await _reserve(run, requirement, expected):
            run.is_held = True
            return None
        answer, usage = await model.complete(messages, SCHEMA)
        answer = storable(answer)
        await WORK.run(_keep, run, requirement, finding.request, answer, usage)
    finding.prompt_tokens, finding.completion_tokens = usage.prompt_tokens, usage.completion_tokens
    finding.money = run.money(usage)
    if is_reused:
        await WORK.run(partial(_count, run, reused=1))
    written = read_answer(model.name, answer)
    finding.reply = {"answer": answer}
    return await WORK.run(judged, written, searched, run.scope, run.cleaner())


async def _reserve(run: Checking, requirement: Requirement, tokens: int) -> bool:
    """Whether the budgets have room for the call, once the calls under way have reported their cost."""
    async with run.room:
        while not await WORK.run(run.fits, tokens):
            if not run.reserved:
                return False
            await run.room.wait()
        run.reserved[requirement.pk] = tokens
    return True


def _earlier(run: Checking, finding: Finding) -> str:
    """The answer to the same request in the current finding: documents changed, but not what was found."""
    rows = Finding.objects.filter(
        assessment=run.row.assessment,
        requirement=finding.requirement,
        is_current=True,
        error="",
        request=finding.request,
    )
    return str((rows.values_list("reply", flat=True).first() or {}).get("answer", ""))


def _keep(run: Checking, requirement: Requirement, key: str, answer: str, usage: Usage) -> None:
    """The check counts by itself: the reply goes with a purge, and what it has cost does not."""
    with transaction.atomic():
        keep(run.row, requirement, key, answer, usage)
        _count(run, calls=1, spent_tokens=usage.tokens, spent_money=run.money(usage) or Decimal(0))


def _count(run: Checking, **more: int | Decimal) -> None:
    """Add to columns of the check."""
    Check.objects.filter(pk=run.row.pk).update(**{name: F(name) + by for name, by in more.items()})


def _record(run: Checking, finding: Finding, outcome: Outcome) -> None:
    """Write the finding in place of the one before, unless a document that it rests on was purged meanwhile.

    A model that failed takes nothing away that was found before.
    """
    with run.writing():
        requirement = Requirement.objects.filter(pk=finding.requirement_id).first()
        locked = Document.objects.select_for_update(no_key=True).filter(pk__in=outcome.read).order_by("pk")
        if requirement is None or len(locked.values_list("pk", flat=True)) < len(outcome.read):
            return
        before = Finding.objects.filter(
            assessment=finding.assessment, requirement=requirement, is_current=True
        )
        if finding.error and before.exists():
            finding.is_current = False
        else:
            before.update(is_current=False)
        finding.verdict, finding.reason = outcome.verdict, outcome.reason[:1000]
        finding.parts, finding.draft, finding.read = outcome.parts, outcome.draft, outcome.read
        mask_finding(finding, outcome.evidence)
        finding.save()
        for row in outcome.evidence:
            row.finding = finding
        Evidence.objects.bulk_create(outcome.evidence)
        PaidReply.objects.filter(check_of=run.row, requirement=requirement).delete()


def _end(run: Checking) -> None:
    """Done, held by its budget, or queued again for another turn."""
    with run.writing():
        values: dict[str, object] = {"attempts": 0, "unended": 0}
        if not waiting(run):
            scope = requirements_in(run.row.assessment.framework, run.row.scope)
            counts = counts_of(standings(run.row.assessment, scope))
            values |= {"status": CheckStatus.DONE, "finished": timezone.now(), "counts": counts}
        elif run.is_held:
            values |= {"status": CheckStatus.HELD, "finished": timezone.now()}
        else:
            values |= {"job_id": defer_check(run.row)}
        run.close(**values)
