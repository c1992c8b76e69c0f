"""What programs may do, as pages list it."""

from collections.abc import Iterable

from django import template
from django.utils.text import capfirst

from accounts.models import TokenScope
from localization.casing import within_a_sentence
from localization.lists import joined

register = template.Library()


@register.filter
def rights_in_words(scopes: Iterable[str]) -> str:
    """“Read, ask”."""
    return capfirst(joined([within_a_sentence(TokenScope(scope).label) for scope in scopes]))
