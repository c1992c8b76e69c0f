"""A check under way: requirement after requirement, each finding written as soon as it is there.

It goes on from what is written, so a worker that is killed costs the requirements it was at, and no reply of
a model twice. What has not changed since the last check is not looked at again.
"""

import contextlib
import logging
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from answering.cleaning.cleaner import Cleaner
from answering.values.personal_data import PersonalData
from batches.budget import prices_now
from batches.replies import Replies
from batches.run import BatchRun, each
from batches.run import begin as begin_batch
from datasources.editors import no_editor
from datasources.masking import masked
from datasources.models import Datasource, Document
from desks.compliance.checks.asking import SCHEMA, key_of, messages_of, read_answer
from desks.compliance.checks.masking import mask_finding
from desks.compliance.checks.outcome import Outcome, judged, nearest_passages
from desks.compliance.checks.queueing import defer_check
from desks.compliance.checks.scope import requirements_in
from desks.compliance.checks.searching import Searched, search
from desks.compliance.checks.standing import above_each, content_of, counts_of, current_findings, standings
from desks.compliance.checks.subjects import selection_of
from desks.compliance.models import Check, Evidence, Finding, PaidReply, Requirement, Verdict
from jobs.failures import Failure
from jobs.slices import work_a_slice
from jobs.threads import Pool
from localization.stored import LONGEST, words_of
from providers.embedders import embedder
from providers.language_models import structured_model
from providers.protocols import ProviderError, StructuredModel
from providers.roles import ModelRole
from providers.spending.metering import Payer
from providers.spending.models import Purpose
from providers.spending.prices import Prices
from retrieval.query import Scope
from text.normal_forms.storable import storable

logger = logging.getLogger(__name__)

WORK = Pool("assessments", 3, niceness=5)  # people who wait for an answer come first
AT_ONCE = 4  # requirements with a model, which waits most of the time; a search keeps a core busy
ANSWER_TOKENS = 900  # that an answer is expected to have
OTHER_MODEL = Failure(
    code="other_model",
    message=gettext_noop(
        "The model that this check began with is not available: another is set, or a budget is used up."
    ),
    hint=gettext_noop("What was found is kept. Go on once it is back, or check again."),
)
NO_DOCUMENTS = Failure(
    code="no_documents",
    message=gettext_noop("None of these documents can be searched: they were deleted, or are not read yet."),
    hint=gettext_noop("What was found is kept. Add documents to the selection, and check again."),
)


def model_of(datasource: Datasource, payer: Payer | None = None) -> StructuredModel | None:
    """The model that judges; None where no language model is set."""
    return structured_model(datasource, ModelRole.AGENT, payer)


class Checking(BatchRun[Check]):
    """Created by `begin`."""

    safe = gettext_noop("What was found is kept.")
    purpose = Purpose.ASSESSMENT

    def __init__(self, row: Check) -> None:
        assessment = row.assessment
        datasource = assessment.datasource
        person = row.asked_by_id or datasource.owner_id
        prices = prices_now(datasource, ModelRole.AGENT)
        super().__init__(row, person=person, datasource=datasource.pk, reply=ANSWER_TOKENS, prices=prices)
        self.model = model_of(datasource, self.payer)
        self.prices = Prices.of_json(row.prices)
        self.embedder = embedder(datasource)
        self.selection = selection_of(assessment.subject)
        self.files = [document.sha256 for document in self.selection.documents]
        self.scope = Scope(user_id=person, datasource_id=datasource.pk, document_ids=self.selection.ids)
        self.policy = PersonalData.MASK if masked([datasource.pk]) else PersonalData.OFF
        self.above = above_each(assessment.framework.requirements.order_by("position"))

    @property
    def at_once(self) -> int:
        return AT_ONCE if self.model else 1

    def refusal(self) -> Failure | None:
        row = self.row
        if refused := no_editor(
            row.assessment.datasource, row.asked_by, gettext_noop("Another editor can check again.")
        ):
            return refused
        if not self.selection.documents:
            return NO_DOCUMENTS
        return OTHER_MODEL if (self.model.name if self.model else "") != row.model else None

    def replies(self, requirement: Requirement) -> Replies:
        return Replies(PaidReply, check_of=self.row, requirement=requirement)

    def content(self, requirement: Requirement) -> str:
        return content_of(requirement, self.above[requirement.pk], self.files)

    def cleaner(self) -> Cleaner:
        return Cleaner(policy=self.policy, markup=self.model is not None)


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
    run = begin_batch(rows.filter(pk=check_id).order_by(), Checking)
    if run and not Finding.objects.filter(made_in=run.row).exists():
        requirements = requirements_in(run.row.assessment.framework, run.row.scope)
        run.row.write(total=len(requirements), unchanged=len(requirements) - len(waiting(run)))
    return run


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
    left = await WORK.run(waiting, run)
    async with run.model or contextlib.nullcontext():
        await each(run, WORK, left, partial(_look_at, run), deadline, run.row.total)


async def _look_at(run: Checking, requirement: Requirement) -> None:
    """Raises UsedUp where the budget has no room for it."""
    searched = await WORK.run(search, requirement, run.above[requirement.pk], run.scope, run.embedder)
    kept = run.replies(requirement)
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
            outcome = await _answered(run, run.model, searched, finding, kept)
        except ProviderError as error:
            run.failed(error)
            logger.warning("requirement %s of check %s: %s", requirement.pk, run.row.pk, error.message)
            outcome = Outcome(verdict=Verdict.TO_JUDGE)
            finding.error, finding.error_words = error.message[:LONGEST], words_of(error.message)
        else:
            run.succeeded()
    await WORK.run(_record, run, finding, outcome, kept)


async def _answered(
    run: Checking, model: StructuredModel, searched: Searched, finding: Finding, kept: Replies
) -> Outcome:
    """What the model says, asked at most once for the same words. Raises ProviderError and UsedUp."""
    messages = messages_of(finding.requirement, run.above[finding.requirement_id], searched)
    finding.request = key_of(model.name, messages)
    if answer := await WORK.run(_earlier, run, finding):
        await WORK.run(_count_reused, run)
    else:
        answer, _ = await kept.structured(model, run.prices).complete(messages, SCHEMA)
        answer = storable(answer)
    finding.prompt_tokens, finding.completion_tokens = kept.usage.prompt_tokens, kept.usage.completion_tokens
    finding.money = run.prices.of(kept.usage)
    written = read_answer(model.name, answer)
    finding.reply = {"answer": answer}
    return await WORK.run(judged, written, searched, run.scope, run.cleaner())


def _count_reused(run: Checking) -> None:
    Check.objects.filter(pk=run.row.pk).update(reused=F("reused") + 1)


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


def _record(run: Checking, finding: Finding, outcome: Outcome, kept: Replies) -> None:
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
        kept.forget()


def _end(run: Checking) -> None:
    """Done, held by its budget, or queued again for another turn."""
    with run.writing():
        ended: dict[str, object] = {"finished": timezone.now()}
        if is_done := not waiting(run):
            scope = requirements_in(run.row.assessment.framework, run.row.scope)
            ended |= {"counts": counts_of(standings(run.row.assessment, scope))}
        run.end(is_done, defer_check, **ended)
