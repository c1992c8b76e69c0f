"""Parts of a page about one citation: the source pane and the hover card."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from chat.models import Citation
from chat.notebook import may_write
from chat.web.answers.rendering import source_address
from chat.web.answers.source import Source
from chat.web.lookup import find_citation
from datasources.access import find_document
from datasources.models import Role
from datasources.web.pages import HtmxRequest, signed_in
from reader.web.pictures import page_picture


def neighbours(citation: Citation) -> dict[str, object]:
    """All sources of the answer, with those before and after this one."""
    citations = citation.turn.citations.select_related("document", "turn__conversation")
    sources = [Source(each) for each in citations]
    conversation = citation.turn.conversation
    at = [source.citation.n for source in sources].index(citation.n)
    return {
        "source": sources[at],
        "sources": sources,
        "can_keep": may_write(conversation.user, conversation.datasource),
        "previous": sources[at - 1] if at else None,
        "next": sources[at + 1] if at + 1 < len(sources) else None,
    }


@login_required
@require_safe
def pane(request: HtmxRequest, turn: UUID, n: int) -> HttpResponse:
    """The source for the pane; without htmx its conversation with the pane open."""
    citation = find_citation(request, turn, n, Role.ASKER)
    if not request.htmx:
        return redirect(source_address(citation.turn, n))
    return render(request, "chat/_source.html", neighbours(citation))


@login_required
@require_safe
def page(request: HtmxRequest, turn: UUID, n: int, number: int) -> HttpResponse:
    """A page that the quote is on, without marks, as WebP: also for whoever may not read the others."""
    citation = find_citation(request, turn, n, Role.ASKER)
    if citation.document_id is None or number not in citation.pages:
        raise Http404
    person = signed_in(request)
    document = find_document(person, citation.document_id, Role.ASKER, reads=True)
    return page_picture(document, number, asker=person.pk)


@login_required
@require_safe
def card(request: HtmxRequest, turn: UUID, n: int) -> HttpResponse:
    """What is shown while the pointer rests on a chip."""
    source = Source(find_citation(request, turn, n, Role.ASKER))
    return render(request, "chat/_card.html", {"source": source})
