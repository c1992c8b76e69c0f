"""The pages around a sign-in through a provider."""

import logging

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from accounts.identity.models import IdentityProvider
from accounts.limits import Limit

logger = logging.getLogger(__name__)
# Each makes this server ask the provider; those of sign-ins that succeed are given back.
FROM_NETWORK = Limit(name="openid-network", attempts=60, seconds=60)
FAILED = gettext_lazy(
    "{name} did not confirm who you are, could not be reached, or took too long. Nothing "
    "is lost. Try again; if it happens again, tell the administrator of this server."
)


def leaving(request: HttpRequest, address: str, name: str, *, out: bool = False) -> HttpResponse:
    """A page that goes to the address at once. A redirect would not do: the policy of our pages lets forms
    lead to ourselves alone, and browsers apply it to redirects too.
    """
    return render(request, "account/leaving.html", {"address": address, "name": name, "out": out})


def refused(
    request: HttpRequest, provider: IdentityProvider, sentence: str, status: int = 403
) -> HttpResponse:
    """The page that says why somebody is not signed in."""
    context = {"provider": provider, "why": sentence}
    return render(request, "account/provider_refused.html", context, status=status)


def failed(request: HttpRequest, provider: IdentityProvider, why: object, status: int = 403) -> HttpResponse:
    """Says no more than that it failed. why: for the log."""
    logger.warning("A sign-in through %s failed: %s.", provider.key, one_line(why))
    return refused(request, provider, FAILED.format(name=provider.name), status)


def too_many(request: HttpRequest) -> HttpResponse:
    page = render(request, "429.html", status=429)
    page["Retry-After"] = str(FROM_NETWORK.seconds)
    return page


def one_line(why: object) -> str:
    """For the log: what somebody else has written into a refusal makes no line of its own."""
    return " ".join(str(why).split())[:300].rstrip(".")
