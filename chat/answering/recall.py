"""Answers that were given before: found again while all that they rest on is the same, given as they were.

Nothing is kept beside the turns themselves, so that what is deleted there is forgotten here as well.
"""

import hashlib
import json
from collections.abc import Callable, Mapping

from django.db import transaction
from django.forms.models import model_to_dict
from django.utils import timezone

from chat.citations.store import store
from chat.events import AnswerDelta, Step, TurnEvent
from chat.models import AnswerSettings, Citation, Instructions, Turn, TurnStatus
from chat.sql import query
from retrieval.query import Scope

FORM = 1  # of answers; a release that answers otherwise counts on
KEPT = (TurnStatus.ANSWERED, TurnStatus.PARTIAL, TurnStatus.QUOTES)


def key_of(
    turn: Turn, question: str, scope: Scope, chosen: AnswerSettings, models: Mapping[str, str], *, alone: bool
) -> str:
    """Of everything that an answer rests on: question, documents as they are, models, settings.

    alone: whether the question was asked without a conversation before it. An answer within a conversation
    may tell of it, so it is given again to nobody else.
    """
    conversation = turn.conversation
    own = Instructions.objects.filter(datasource=conversation.datasource_id, user=conversation.user_id)
    rests_on = {
        "form": FORM,
        "question": " ".join(question.split()).casefold(),
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
    """The newest answer with the key; none that repeats another, none that somebody has marked as bad."""
    same = Turn.objects.filter(
        cache_key=key, conversation__datasource=turn.conversation.datasource_id, status__in=KEPT,
        reused_from=None,
    )  # fmt: skip
    return same.exclude(pk=turn.pk).exclude(feedback__helpful=False).order_by("-created").first()


@transaction.atomic
def repeat(earlier: Turn, turn: Turn, step: Step, log: Callable[[TurnEvent], None]) -> list[Citation]:
    """Give the answer with its citations to another turn. `log` raises when the turn is not ours."""
    citations = []
    for citation in earlier.citations.select_related("document").order_by("n"):
        citation.pk, citation.turn = None, turn
        citation._state.adding = True
        store(citation, step, log)
        citations.append(citation)
    log(AnswerDelta(offset=0, text=earlier.answer))
    return citations


def label(earlier: Turn) -> str:
    """That the answer is an earlier one, and of when."""
    at = timezone.localtime(earlier.finished or earlier.created)
    return f"This answer was written on {at:%d %B %Y at %H:%M}. Documents, models and settings are the same."
