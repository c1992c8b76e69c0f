"""Asking at the same place of a conversation again: in other words, or with another model."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.quotas import with_retry_after
from chat import services
from chat.web.answers.rendering import turn_address
from chat.web.lookup import find_turn
from datasources.models import Role
from datasources.numbers import number_in
from datasources.web.pages import HtmxRequest, bar, go
from providers.roles import choices_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def again(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """A form with the question and the models to choose from; the first answer stays as another version."""
    first = find_turn(request, turn, Role.ASKER)
    datasource = first.conversation.datasource
    context: dict[str, Any] = bar(datasource, "chat") | {
        "turn": first,
        "question": first.question,
        "models": choices_of(datasource),
        "chosen": first.chosen_model,
        "back": turn_address(first),
    }
    if request.method == "POST":
        question, chosen = request.POST.get("question", ""), number_in(request.POST.get("model"))
        try:
            asked = services.ask_again(first, question, chosen_model=chosen)
        except ValidationError as error:
            context |= {"error": " ".join(error.messages), "question": question, "chosen": chosen}
            response = render(request, "chat/again.html", context, status=422)
            # A dialog shows what is answered with 422.
            return response if request.htmx else with_retry_after(response, error)
        return go(request, turn_address(asked))
    return render(request, "chat/again.html", context)
