"""The acts of the settings page upon a datasource's vectors."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from datasources.models import Role
from datasources.settings.sections import page_of_section
from datasources.web.pages import HtmxRequest, datasource_for, posted_from, signed_in
from ingestion.indexes import reembedding
from ingestion.web.vectors_section import state_of
from localization.stored import retold
from providers.protocols import ProviderError

VECTORS = page_of_section("models", "#vectors")


@login_required
@require_GET
def vectors_state(request: HtmxRequest, pk: int) -> HttpResponse:
    """The section alone, which asks for itself again while vectors are being made."""
    datasource = datasource_for(request, pk)
    is_owner = datasource.has_role(signed_in(request), Role.OWNER)
    context = {"datasource": datasource, "vectors": state_of(datasource), "is_owner": is_owner}
    return render(request, "ingestion/_vectors.html", context)


@login_required
@posted_from(VECTORS)
def change_embedding_model(request: HtmxRequest, pk: int) -> HttpResponse:
    """Embed all documents with the model that is set now."""
    datasource = datasource_for(request, pk, Role.OWNER)
    try:
        space = reembedding.change_to_configured(datasource)
    except ProviderError as error:
        messages.error(request, retold(error.message))
    else:
        if space:
            messages.success(
                request,
                _(
                    "The documents are being embedded with {model}. Until all are, questions are answered "
                    "from the old vectors."
                ).format(model=space.model),
            )
    return redirect(VECTORS(pk))


@login_required
@posted_from(VECTORS)
def undo_embedding_model(request: HtmxRequest, pk: int) -> HttpResponse:
    """Stop the change that is under way, or go back to the model before."""
    datasource = datasource_for(request, pk, Role.OWNER)
    space = reembedding.undo(datasource)
    told = (
        _("Questions are answered from the vectors of {model} again.").format(model=space.model)
        if space
        else _("There is nothing to go back to.")
    )
    messages.success(request, told)
    return redirect(VECTORS(pk))
