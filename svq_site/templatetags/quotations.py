"""Words within sentences: {{ words|quoted:8 }}, {{ words|joined }}, {{ name|in_quotes }}."""

from collections.abc import Iterable

from django import template

from localization.lists import in_quotes, joined, quoted

register = template.Library()
register.filter(quoted)
register.filter(in_quotes)


@register.filter("joined")
def joined_texts(words: Iterable[object]) -> str:
    return joined([str(word) for word in words])
