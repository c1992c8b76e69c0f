"""The buttons that put the first page away and bring it back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from datasources.pages import posted_from, signed_in
from svq_site.dashboard import welcome


def home() -> str:
    return reverse("home")


@login_required
@posted_from(home)
def close_first_page(request: HttpRequest) -> HttpResponse:
    welcome.close(signed_in(request))
    messages.success(request, "The first page is put away. Your settings can bring it back.")
    return redirect("home")


@login_required
@posted_from(home)
def open_first_page(request: HttpRequest) -> HttpResponse:
    if not welcome.reopen(signed_in(request)):
        messages.error(request, "There is nothing to show: the sample or its question was deleted.")
    return redirect("home")
