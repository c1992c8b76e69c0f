"""Follow-up questions to an answer, loaded after its page."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from chat.models import Turn
from chat.queue_places import others_wait
from chat.suggestions.follow_ups import follow_ups
from chat.web.answers.rendering import turn_address
from chat.web.lookup import find_turn
from datasources.models import Role
from datasources.web.pages import HtmxRequest
from jobs.fair_slots import Busy
from providers.protocols import ProviderError
from retrieval.slots import SEARCHES


@login_required
@require_safe
def follow_ups_of(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """Buttons that ask; none while too many searches are running, the embedder does not answer, or questions
    wait: each is tried as if it were asked.
    """
    after = find_turn(request, turn, Role.ASKER)
    if not request.htmx:
        return redirect(turn_address(after))
    return render(request, "chat/_follow_ups.html", {"questions": found_for(after)})


def found_for(turn: Turn) -> list[str]:
    if turn.follow_ups is None and others_wait():
        return []
    try:
        with SEARCHES.taken_by(turn.conversation.user_id):
            return follow_ups(turn)
    except (Busy, ProviderError):
        return []
