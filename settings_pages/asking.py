"""The question whether to, before something that cannot be taken back."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from localization.promises import StrOrPromise


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`heading` is the question, `consequence` what will happen, in a sentence or two; `button` does it."""

    heading: StrOrPromise
    consequence: StrOrPromise
    button: StrOrPromise


def ask(
    request: HttpRequest, question: Question, *, address: str, back: str, fields: Mapping[str, str]
) -> HttpResponse:
    """A dialog over the page, or a page where scripts do not run. fields: what the button posts to the
    address. back: where who says no goes on.
    """
    context = {"question": question, "address": address, "back": back, "fields": fields}
    return render(request, "settings_pages/ask.html", context)
