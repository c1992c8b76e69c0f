"""One's own conversations, questions and citations, by the ids in an address. Other people's do not exist."""

from uuid import UUID

from django.shortcuts import get_object_or_404

from accounts.audit import named_in_audit_log
from chat.models import Citation, Conversation, Turn
from datasources.access import LOOKS, require
from datasources.models import Role
from datasources.web.pages import HtmxRequest, signed_in

SHOWN_WITH = ("conversation__user", "conversation__datasource", "feedback")  # what a page shows with a turn


def find_conversation(request: HtmxRequest, pk: int, conversation: UUID, needed: Role) -> Conversation:
    """A conversation about the datasource `pk`. Raises Http404, PermissionDenied, Archived."""
    mine = Conversation.objects.visible_to(signed_in(request)).select_related("datasource", "user")
    found = get_object_or_404(mine, pk=conversation, datasource_id=pk)
    _require(request, found, needed)
    return found


def find_turn(request: HtmxRequest, turn: UUID, needed: Role) -> Turn:
    """A question with its answer. Raises Http404, PermissionDenied, Archived."""
    mine = Turn.objects.visible_to(signed_in(request)).select_related(*SHOWN_WITH)
    found = get_object_or_404(mine, pk=turn)
    _require(request, found.conversation, needed)
    return found


def find_citation(request: HtmxRequest, turn: UUID, n: int, needed: Role) -> Citation:
    """Citation `n` of an answer. Raises Http404, PermissionDenied, Archived."""
    mine = Turn.objects.visible_to(signed_in(request))
    citations = Citation.objects.select_related("document", "turn__conversation__datasource")
    citation = get_object_or_404(citations, turn__in=mine, turn_id=turn, n=n)
    _require(request, citation.turn.conversation, needed)
    named_in_audit_log(request, [citation.document_id])
    return citation


def _require(request: HtmxRequest, conversation: Conversation, needed: Role) -> None:
    """Whoever may only ask has their answers and the proof, and no files of them."""
    require(conversation.datasource, signed_in(request), needed, reads=request.method in LOOKS)
