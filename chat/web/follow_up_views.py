"""Follow-up questions to an answer, loaded after its page."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from chat.turns.follow_ups import made_for
from chat.turns.tasks import defer_follow_ups
from chat.web.answers.rendering import turn_address
from chat.web.lookup import find_turn
from datasources.models import Role
from datasources.numbers import limited
from datasources.web.pages import HtmxRequest

LOOKS = 8  # with a second between them


@login_required
@require_safe
def follow_ups_of(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """Buttons that ask. At the first look a worker is told to make them; ?look= counts the looks that follow,
    the last of which shows none.
    """
    after = find_turn(request, turn, Role.ASKER)
    if not request.htmx:
        return redirect(turn_address(after))
    look, questions = limited(request.GET.get("look"), 0, LOOKS), made_for(after)
    if questions is None and look == 0:
        defer_follow_ups(after)
    again = look + 1 if questions is None and look < LOOKS else None
    return render(request, "chat/_follow_ups.html", {"questions": questions, "again": again, "after": after})
