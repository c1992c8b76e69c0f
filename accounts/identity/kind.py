"""What differs between providers by what they speak."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest

from accounts.identity.models import IdentityProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """called: what SVQ is called there, unless an administrator says otherwise. new_form: how
    it is found. form: all else about it.

    to_register: what has to be entered there, each with its words. way_there, way_out: the address for a
    browser to sign in and out; of the first, the state is kept for the way back. check: whether a sign-in can
    work, as far as it shows without one; what it says then. These three may raise Unusable.
    """

    called: Callable[[HttpRequest, IdentityProvider], str]
    new_form: type[forms.ModelForm]
    form: type[forms.ModelForm]
    to_register: Callable[[HttpRequest, IdentityProvider], list[tuple[str, str]]]
    way_there: Callable[[HttpRequest, IdentityProvider, dict[str, Any]], str]
    way_out: Callable[[HttpRequest, IdentityProvider, dict[str, Any]], str]
    check: Callable[[HttpRequest, IdentityProvider], str]
