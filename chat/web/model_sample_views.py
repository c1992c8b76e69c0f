"""The example of what a language model would be sent, in the dialog that connects one."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.http import require_safe

from accounts.models import User
from chat.models import Turn
from chat.turns.model_sample import Sample, sample_of
from datasources.models import Datasource
from datasources.web.pages import HtmxRequest, signed_in
from providers.protocols import ProviderError

OF_DATASOURCE = "d/<int:pk>/"  # how the addresses of its pages begin


@login_required
@require_safe
def model_sample(request: HtmxRequest) -> HttpResponse:
    """For the page named by ?next=, of a datasource or a conversation; 204 where nothing would be sent."""
    try:
        there = resolve(request.GET.get("next", "").partition("?")[0])
        sample = _sample(there, signed_in(request))
    except Resolver404:
        sample = None
    except ProviderError:  # of the embedding server: the dialog still says what leaves
        sample = None
    if sample is None:
        return HttpResponse(status=204)
    return render(request, "chat/_model_sample.html", {"sample": sample})


def _sample(there: ResolverMatch, person: User) -> Sample | None:
    """Raises ProviderError."""
    if not there.route.startswith(OF_DATASOURCE):
        return None
    datasource = Datasource.objects.visible_to(person).filter(pk=there.kwargs["pk"]).first()
    if datasource is None:
        return None
    last = None
    if conversation := there.kwargs.get("conversation"):
        mine = Turn.objects.visible_to(person).filter(conversation=conversation)
        last = mine.filter(conversation__datasource=datasource).order_by("number").last()
    return sample_of(datasource, person.pk, last)
