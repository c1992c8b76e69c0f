"""What people do in a chat: ask, stop, rename and delete conversations. The job `answer` answers."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from procrastinate.contrib.django import app
from tenacity import retry, retry_if_exception_type, stop_after_attempt

from accounts import quotas
from accounts.audit import note_thing
from accounts.models import AuditAct, UsageKind
from answering.values.personal_data import PersonalData
from chat import events, trace
from chat.branches import branches_of
from chat.masking import defer_masking, mask_if_missed, mask_introduction
from chat.models import UNFINISHED, AnswerSettings, Conversation, Mode, Turn, TurnStatus
from chat.scope import UNCHANGED, Unchanged, checked_choice, remaining_choice
from citations.marks import cited
from datasources.lanes import lane_of
from datasources.models import Datasource
from datasources.refusals import ARCHIVED, Archived
from events import log
from formats.base.characters import clean_text, visible_name
from jobs.cancel import cancel_on_commit
from localization.numbers import numeral
from metrics import ANSWERS, traces
from providers.language_models import playing
from providers.roles import ModelRole, choices_of

if TYPE_CHECKING:
    from accounts.models import User

MAX_QUESTION = 4000
MAX_TITLE = 200
MOST_UNANSWERED = 5  # questions of a conversation at a time


def ask(
    user: "User",
    datasource: Datasource,
    question: str,
    *,
    conversation: Conversation | None = None,
    document_ids: Collection[int] | Unchanged | None = UNCHANGED,
    mode: Mode = Mode.AGENT,
    earlier: Sequence[Mapping[str, str]] = (),
    after: int | None = None,
    repeats: Turn | None = None,
    chosen_model: int | None = None,
    queued: bool = True,
    fresh: bool = False,
    by_itself: bool = False,
) -> Turn:
    """Store a question and queue its answer; the caller has checked that the user may read here.

    `earlier`: {role, content} of messages that a program's user and assistant exchanged outside SVQ.
    `after`: number of the turn that it follows, 0 for none; left out, it follows the newest one.
    `repeats`: the turn that it is another version of; it searches the same documents.
    `chosen_model`: number of the connected model that is to answer, in place of the datasource's.
    `fresh`: write a new answer, even if the same question was answered before.
    `by_itself`: SVQ asks for the person, who has not asked anything: the audit log has nothing of it.

    `document_ids` None means all documents; left out, the conversation's choice stays. With `queued=False`
    the caller runs the turn itself, and no quota is used. Raises ValidationError, such as QuotaUsedUp.
    """
    question = clean_text(question, kept="\t").strip()
    if not question:
        raise ValidationError(_("There is no question. Type one and ask again."), code="question_missing")
    if len(question) > MAX_QUESTION:
        raise ValidationError(
            ngettext(
                "The question has {n} character; the limit is {most}. Shorten it.",
                "The question has {n} characters; the limit is {most}. Shorten it.",
                len(question),
            ).format(n=numeral(len(question)), most=numeral(MAX_QUESTION)),
            code="question_long",
        )
    if queued and datasource.archived:
        raise ValidationError(ARCHIVED, code=Archived.code)
    with transaction.atomic():
        if conversation is None:
            chosen = None if document_ids is UNCHANGED else document_ids
            conversation = begin_conversation(user, datasource, _title(question), chosen)
            turn = Turn(conversation=conversation, number=1, document_ids=conversation.document_ids)
        else:
            turn = _next_turn(conversation, question, document_ids, after, repeats)
        turn.chosen_model = _checked_model(datasource, chosen_model)
        turn.question, turn.mode, turn.earlier, turn.fresh = question, mode, list(earlier), fresh
        if queued:
            quotas.use(user, {UsageKind.QUESTIONS: 1})
            with traces.part_of("turn", turn.pk), traces.span("ask"):
                turn.job_id = defer_answer(turn)
        turn.save()
        events.append(events.TurnQueued(question=question), turn.channel)
        if queued and not by_itself:
            note_thing(user, AuditAct.ASKED, subject="answer", number=turn.pk, datasource=datasource.pk)
    return turn


def defer_answer(turn: Turn) -> int:
    """Queue the job that answers; returns its id. The questions of a conversation are answered one at a time,
    as each may build on the answers before it. What no language model answers keeps a processor busy, so it
    has a queue of which fewer are done at once.
    """
    asker, datasource = turn.conversation.user_id, turn.conversation.datasource
    is_written = playing(datasource, ModelRole.AGENT, chosen=turn.chosen_model) is not None
    answer = app.configure_task(
        "answer",
        allow_unknown=False,
        lock=f"conversation:{turn.conversation_id}",
        queue="agent" if is_written else "quotes",
    )
    return answer.defer(turn_id=str(turn.pk), lane=lane_of(datasource.pk, asker).place())


def ask_again(turn: Turn, question: str, *, chosen_model: int | None = None) -> Turn:
    """Ask at the same place of the conversation, in other words or with another model. The first answer stays
    as another version. Raises ValidationError.
    """
    conversation = turn.conversation
    before = branches_of(conversation).before[turn.number]
    return ask(
        conversation.user,
        conversation.datasource,
        question,
        conversation=conversation,
        mode=Mode(turn.mode),
        earlier=turn.earlier,
        after=before,
        repeats=turn,
        chosen_model=chosen_model,
        fresh=question.strip() == turn.question,
    )


def _checked_model(datasource: Datasource, chosen: int | None) -> int | None:
    if chosen is not None and chosen not in {each.pk for each in choices_of(datasource)}:
        raise ValidationError(
            _("This model cannot be chosen here. Nothing was asked; choose another."), code="model_unknown"
        )
    return chosen


def _next_turn(
    conversation: Conversation,
    question: str,
    document_ids: Collection[int] | Unchanged | None,
    after: int | None,
    repeats: Turn | None,
) -> Turn:
    """The next turn of the conversation, unsaved. The conversation is locked until the commit."""
    locked = Conversation.objects.select_for_update(of=("self",)).select_related("datasource", "user")
    try:
        conversation = locked.get(pk=conversation.pk)
    except Conversation.DoesNotExist as error:
        raise ValidationError(
            _("This conversation was deleted meanwhile. Nothing was asked; begin a new one."), code="deleted"
        ) from error
    waiting = conversation.turns.filter(status__in=UNFINISHED).count()
    if waiting >= MOST_UNANSWERED:
        raise ValidationError(
            ngettext(
                "{n} question of this conversation waits for its answer. This one was not asked; ask it when "
                "that is answered, or stop it.",
                "{n} questions of this conversation wait for their answers. This one was not asked; ask "
                "it when the first of them is answered, or stop one.",
                waiting,
            ).format(n=waiting),
            code="busy",
        )
    if document_ids is not UNCHANGED:
        set_scope(conversation, document_ids)
    choice = repeats.document_ids if repeats else conversation.document_ids
    searched = remaining_choice(conversation.datasource, choice)
    conversation.title = conversation.title or _title(question)
    conversation.save(update_fields=["title", "updated"])
    last = conversation.turns.aggregate(last=Max("number"))["last"] or 0
    if after and not conversation.turns.filter(number=after).exists():
        raise ValidationError(
            _("There is no such question to follow. Nothing was asked."), code="no_such_turn"
        )
    return Turn(
        conversation=conversation,
        number=last + 1,
        after=None if after == last else after,
        document_ids=searched,
    )


@transaction.atomic(savepoint=False)
def begin_conversation(
    user: "User", datasource: Datasource, title: str = "", document_ids: Collection[int] | None = None
) -> Conversation:
    """A conversation without questions; the first question becomes its title if `title` is empty.

    Raises ValidationError for a long title, an empty choice of documents, a foreign one.
    """
    title = _checked_title(title)
    chosen = checked_choice(datasource, document_ids)
    return Conversation.objects.create(
        datasource=datasource, user=user, api_token=user.api_token, title=title, document_ids=chosen
    )


def _title(question: str) -> str:
    first = question.splitlines()[0]
    return first if len(first) <= 80 else first[:79].rsplit(" ", 1)[0] + "…"


def set_scope(conversation: Conversation, document_ids: Collection[int] | None) -> None:
    """Search only these documents from now on; None means all. Raises ValidationError, see checked_choice."""
    conversation.document_ids = checked_choice(conversation.datasource, document_ids)
    conversation.save(update_fields=["document_ids"])


def stop(turn: Turn) -> bool:
    """End a turn, keeping what was written so far; False if it had already ended.

    Takes the channel over, so that what the worker still sends is refused.
    """
    token = uuid4()
    with transaction.atomic():
        turn = Turn.objects.select_for_update().get(pk=turn.pk)
        if not turn.is_unfinished:
            return False
        log.open_channel(turn.channel, token)
        answer = trace.text_until(turn, log.last_seq(turn.channel))
        if turn.quotes_only:  # a quote without its document and page is of no use
            answer = cited(answer)
        turn.write(status=TurnStatus.STOPPED, run_token=None, finished=timezone.now(), answer=answer)
        ANSWERS.labels(turn.status).inc()
        traces.whole("turn", turn.pk, turn.created, status=turn.status)
        events.append(events.TurnFinished(status=turn.status), turn.channel, token)
        trace.keep(turn)
        turn.paid_replies.all().delete()
        mask_if_missed(turn)
        cancel_on_commit(turn.job_id)
    return True


def give_up(turn_id: UUID) -> None:
    """Stop a turn, if it is still there: the program that waited for it has hung up."""
    if turn := Turn.objects.filter(pk=turn_id).first():
        stop(turn)


def _checked_title(title: str) -> str:
    title = visible_name(title)
    if len(title) > MAX_TITLE:
        raise ValidationError(
            ngettext(
                "The title has {n} character; the limit is {most}. Shorten it.",
                "The title has {n} characters; the limit is {most}. Shorten it.",
                len(title),
            ).format(n=numeral(len(title)), most=numeral(MAX_TITLE)),
            code="title_long",
        )
    return title


def rename(conversation: Conversation, title: str) -> None:
    title = _checked_title(title)
    if not title:
        raise ValidationError(_("A conversation needs a title. Nothing was changed."), code="title_missing")
    conversation.title = title
    conversation.save(update_fields=["title"])


@retry(retry=retry_if_exception_type(IntegrityError), stop=stop_after_attempt(5), reraise=True)
def delete_conversation(conversation: Conversation) -> None:
    """Delete a conversation with its turns, citations and events, also those asked in it meanwhile."""
    for turn in conversation.turns.filter(status__in=UNFINISHED):
        stop(turn)
    with transaction.atomic():
        for turn in conversation.turns.all():
            log.close_channel(turn.channel)
        Conversation.objects.filter(pk=conversation.pk).delete()


def change_answer_settings(datasource: Datasource, **values: Any) -> AnswerSettings:
    """How its questions are answered from now on."""
    with transaction.atomic():
        changed, _ = AnswerSettings.objects.update_or_create(datasource=datasource, defaults=values)
        if changed.personal_data == PersonalData.MASK:
            mask_introduction(datasource)
            defer_masking(datasource.pk)
    return changed
