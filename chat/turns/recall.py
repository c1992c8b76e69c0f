"""Earlier answers, given again while everything they were based on is unchanged.

Nothing is stored besides the turns themselves, so what is deleted there is forgotten here too.
"""

import hashlib
import json
from collections.abc import Callable, Mapping

from django.db import transaction
from django.forms.models import model_to_dict
from django.utils.translation import gettext_noop

from answering.values.events import AnswerEvent, Step
from chat.citation_rows.store import store
from chat.events import AnswerDelta
from chat.models import AnswerSettings, Citation, Instructions, Turn, TurnStatus
from chat.sql import query
from localization.stored import said, sentences
from retrieval.query import Scope

FORM = 4  # of answers; raise it when a release answers differently
KEPT = (TurnStatus.ANSWERED, TurnStatus.PARTIAL, TurnStatus.QUOTES)


def key_of(
    turn: Turn, question: str, scope: Scope, chosen: AnswerSettings, models: Mapping[str, str], *, alone: bool
) -> str:
    """A hash of everything an answer is based on: question, state of the documents, models, settings.

    alone: whether nothing was said before the question. An answer within a conversation may reveal it, so it
    is given again to the same person only.
    """
    conversation = turn.conversation
    own = Instructions.objects.filter(datasource=conversation.datasource_id, user=conversation.user_id)
    rests_on = {
        "form": FORM,
        "question": " ".join(question.split()).casefold().rstrip(" ?!."),
        "datasource": scope.datasource_id,
        "documents": query("state_of_documents", **scope.parameters())[0],
        "chosen": scope.document_ids is not None and sorted(scope.document_ids),
        "settings": model_to_dict(chosen),
        "models": dict(models),
        "mode": turn.mode,
        "instructions": list(own.values_list("text", flat=True)),
        "person": None if alone else conversation.user_id,
    }
    return hashlib.sha256(json.dumps(rests_on, sort_keys=True, default=str).encode()).hexdigest()


def earlier_answer(turn: Turn, key: str) -> Turn | None:
    """The newest answer with the key that is not itself a repetition and that nobody has marked as bad."""
    same = Turn.objects.filter(
        cache_key=key,
        conversation__datasource=turn.conversation.datasource_id,
        status__in=KEPT,
        reused_from=None,
    )
    return same.exclude(pk=turn.pk).exclude(feedback__helpful=False).order_by("-created").first()


@transaction.atomic
def repeat(earlier: Turn, turn: Turn, step: Step, log: Callable[[AnswerEvent], None]) -> list[Citation]:
    """Copy the answer and its citations to another turn. `log` raises when the turn is not ours."""
    citations = []
    for citation in earlier.citations.select_related("document").order_by("n"):
        citation.pk, citation.turn = None, turn
        citation._state.adding = True
        store(citation, step, log)
        citations.append(citation)
    log(AnswerDelta(offset=0, text=earlier.answer))
    return citations


def label(earlier: Turn, asked_by: int) -> str:
    """Says that the answer is an earlier one, and to whoever asked it when it was written: others don't learn
    that somebody did. asked_by: a person's primary key.
    """
    if earlier.conversation.user_id != asked_by:
        return gettext_noop(
            "SVQ answers the same question in the same words for as long as documents, models and settings "
            "stay the same."
        )
    at = earlier.finished or earlier.created
    if earlier.quotes_only:
        done = said("These passages were found on {time}.", time=at)
    else:
        done = said("This answer was written on {time}.", time=at)
    return sentences(done, gettext_noop("Documents, models and settings are the same."))
