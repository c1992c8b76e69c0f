"""An example of what a language model would be sent, for the dialog that connects one."""

from dataclasses import dataclass
from textwrap import shorten

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_safe

from chat.answering.tools.passages import read
from chat.answering.tools.runner import ToolRunner
from chat.models import Turn
from datasources.masking import masked, shown
from datasources.models import Datasource
from datasources.pages import HtmxRequest, signed_in
from providers.protocols import ProviderError
from providers.roles import embedder
from retrieval.query import Scope

OF_DATASOURCE = "d/<int:pk>/"  # how the addresses of its pages begin
SHOWN = 2  # passages
TEXT = 120  # characters of each

Passage = tuple[str, str, str]  # title, pages, the beginning of its text


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A question, the beginning of what is found for it, and how many passages that is. `hides`: personal
    data is masked in it, which the model would read.
    """

    question: str
    passages: list[Passage]
    count: int
    hides: bool


@login_required
@require_safe
def model_sample(request: HtmxRequest) -> HttpResponse:
    """For the page named by ?next=, of a datasource or a conversation; 204 where nothing would be sent."""
    asked = _asked(request)
    try:
        sample = _sample(*asked) if asked else None
    except ProviderError:  # of the embedding server: the dialog says all the same what leaves
        sample = None
    if sample is None:
        return HttpResponse(status=204)
    return render(request, "chat/_model_sample.html", {"sample": sample})


def _asked(request: HtmxRequest) -> tuple[Scope, str] | None:
    """What would be asked again there: the last question, or else the first that is proposed."""
    try:
        there = resolve(request.GET.get("next", "").partition("?")[0])
    except Resolver404:
        return None
    if not there.route.startswith(OF_DATASOURCE):
        return None
    person = signed_in(request)
    datasource = Datasource.objects.visible_to(person).filter(pk=there.kwargs["pk"]).first()
    if datasource is None:
        return None
    last = None
    if conversation := there.kwargs.get("conversation"):
        mine = Turn.objects.visible_to(person).filter(conversation=conversation)
        last = mine.filter(conversation__datasource=datasource).order_by("number").last()
    scope = Scope(
        user_id=person.pk,
        datasource_id=datasource.pk,
        document_ids=None if last is None or last.document_ids is None else frozenset(last.document_ids),
    )
    if last:
        return scope, last.standalone or last.question
    return (scope, datasource.questions[0]) if datasource.questions else None


def _sample(scope: Scope, question: str) -> Sample | None:
    """As the agent's own tool would find it and write it down. Raises ProviderError."""
    datasource = Datasource.objects.get(pk=scope.datasource_id)
    runner = ToolRunner(scope, embedder(datasource))
    found = read(runner.content(runner.run_here("search_chunks", {"query": question[:1000]})))
    if not found:
        return None
    passages = [(one.document, one.pages, _beginning(shown(one.text, datasource.pk))) for one in found]
    return Sample(
        question=shown(question, datasource.pk), passages=passages[:SHOWN], count=len(found),
        hides=bool(masked([datasource.pk])),
    )  # fmt: skip


def _beginning(text: str) -> str:
    return shorten(text, TEXT, placeholder=" …")
