"""Beginning with checks: the list that comes with SVQ in one click, or a list of one's own."""

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.quotas import with_retry_after
from datasources.client import has_left
from datasources.models import Role
from datasources.web.pages import HtmxRequest, datasource_for, page_of_datasource, posted_from, signed_in
from desks.compliance.checks.ready import check_shipped_list, use_list
from desks.compliance.frameworks import services
from desks.compliance.frameworks.importing import read_file
from desks.compliance.models import Framework
from desks.compliance.slots import file_slot
from desks.compliance.web.gap_views import page_address
from desks.compliance.web.subject_views import chosen_documents


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
        messages.error(request, _(refusal.messages[0]))
        return with_retry_after(redirect("gaps", pk), refusal)
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
        messages.error(request, _(refusal.messages[0]))
        return redirect("gaps", pk)
    messages.success(request, _("“{framework}” was imported.").format(framework=made))
    return redirect(reverse("gaps", args=[pk], query={"framework": made.pk}))


def imported(request: HtmxRequest) -> Framework:
    """Of the file that was posted, called `name`. Raises ValidationError."""
    file, person = request.FILES.get("file"), signed_in(request)
    if file is None:
        raise ValidationError(_("Choose a file. Nothing was imported."))
    with file_slot(person.pk):
        draft = read_file(str(file.name), file, unwanted=partial(has_left, request))  # type: ignore[arg-type]
    return services.store(person, draft, request.POST.get("name", ""))
