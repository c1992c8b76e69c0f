"""The home page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from datasources.models import Datasource
from datasources.models_in_use import everything_is_local
from datasources.pages import signed_in
from svq_site.dashboard.cards import cards, recent_conversations, worth_asking


@login_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """All datasources of the person as cards, those with the words of ?find=; questions, conversations."""
    person, words = signed_in(request), request.GET.get("find", "").strip()[:100]
    datasources = list(Datasource.objects.visible_to(person).select_related("owner", "introduction"))
    shown = cards(person, datasources)
    context = {
        "tab": "home",
        "cards": shown,
        "found": [card for card in shown if card.has(words)],
        "words": words,
        "documents": sum(card.counts.documents for card in shown),
        "in_work": sum(card.counts.in_work for card in shown),
        "failed": sum(card.counts.failed for card in shown),
        "is_local": everything_is_local(),
        "worth_asking": worth_asking(person, datasources),
        "recent": recent_conversations(person),
    }
    return render(request, "datasources/home.html", context)
