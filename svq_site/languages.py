"""Answers in the language of whoever reads the answer: pages in the person's, programs in English."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from localization.languages import ENGLISH, chosen_by, language_of_browser
from svq_site.serving.refusals import FOR_PROGRAMS

# Beside programs: what operators look at has no words but English ones.
IN_ENGLISH = (*FOR_PROGRAMS, "/admin/", "/healthz", "/metrics")


class SpeakLanguage:
    """Django middleware, behind that of authentication. Django's own knows neither programs nor accounts."""

    def __init__(self, others: Callable[[HttpRequest], HttpResponse]) -> None:
        self.others = others

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_for(request)
        with translation.override(language):
            response = self.others(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Content-Language", language)
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response


def language_for(request: HttpRequest) -> str:
    """The account is only asked for where there is a session: a stranger costs no query."""
    if request.path.startswith(IN_ENGLISH):
        return ENGLISH
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
    chosen = chosen_by(request.user) if has_session and len(settings.LANGUAGES) > 1 else ""
    return chosen or language_of_browser(request.COOKIES, request.headers.get("Accept-Language", ""))
