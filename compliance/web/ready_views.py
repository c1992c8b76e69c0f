"""Beginning with checks: the list that comes with SVQ in one click, or a list of one's own."""

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.quotas import wait_if_told
from compliance.checks.ready import check_shipped_list, use_list
from compliance.frameworks import services
from compliance.frameworks.importing import read_file
from compliance.models import Framework
from compliance.slots import file_slot
from compliance.web.gap_views import page_address
from compliance.web.subject_views import chosen_documents
from datasources.client import has_left
from datasources.models import Role
from datasources.web.pages import HtmxRequest, datasource_for, page_of_datasource, posted_from, signed_in


@login_required
@posted_from(page_of_datasource("gaps"))
def check_shipped(request: HtmxRequest, pk: int) -> HttpResponse:
    """`document`, any number of times: these are checked. Without, and unless `which` is "chosen", all are.

    Without scripts "all" stays chosen when somebody ticks a document. They want that one.
    """
    datasource = datasource_for(request, pk, Role.EDITOR)
    chosen = chosen_documents(request.POST)
    wants_all = not chosen and request.POST.get("which") != "chosen"
    try:
        check = check_shipped_list(signed_in(request), datasource, None if wants_all else chosen)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
        return wait_if_told(redirect("gaps", pk), refusal)
    return redirect(f"{page_address(check.assessment)}&at=all")


@login_required
@posted_from(page_of_datasource("gaps"))
def own_list(request: HtmxRequest, pk: int) -> HttpResponse:
    """Import the file of a list and use it here."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    try:
        made = imported(request)
        use_list(made, datasource, signed_in(request))
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
        return redirect("gaps", pk)
    messages.success(request, f"“{made}” was imported.")
    return redirect(reverse("gaps", args=[pk], query={"framework": made.pk}))


def imported(request: HtmxRequest) -> Framework:
    """Of the file that was posted, called `name`. Raises ValidationError."""
    file, person = request.FILES.get("file"), signed_in(request)
    if file is None:
        raise ValidationError("Choose a file. Nothing was imported.")
    with file_slot(person.pk):
        draft = read_file(str(file.name), file, unwanted=partial(has_left, request))  # type: ignore[arg-type]
    return services.store(person, draft, request.POST.get("name", ""))
