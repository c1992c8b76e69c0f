"""The buttons that put the first page away and bring it back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from datasources.models import Datasource
from datasources.web.pages import posted_from, signed_in
from svq_site.dashboard import welcome
from svq_site.dashboard.sample import load_samples


def home() -> str:
    return reverse("home")


@login_required
@posted_from(home)
def close_first_page(request: HttpRequest) -> HttpResponse:
    welcome.close(signed_in(request))
    messages.success(request, _("The first page is put away. Your settings can bring it back."))
    return redirect("home")


@login_required
@posted_from(home)
def take_sample(request: HttpRequest) -> HttpResponse:
    """A sample of one's own, for somebody who sees no datasource yet, with the first page above it."""
    person = signed_in(request)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)  # a second click finds the first one's sample
        if not Datasource.objects.visible_to(person).exists():
            load_samples(person)
    return redirect("home")


@login_required
@posted_from(home)
def open_first_page(request: HttpRequest) -> HttpResponse:
    if not welcome.reopen(signed_in(request)):
        messages.error(request, _("There is nothing to show: the sample or its question was deleted."))
    return redirect("home")
