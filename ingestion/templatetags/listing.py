"""Addresses of the documents list."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import urlencode

from django import template

from ingestion.web.listing import DocumentsQuery

register = template.Library()
PARAMETERS = {"state": "state", "sort": "sort", "words": "find", "page": "page", "unfolded": "unfolded"}


@register.simple_tag
def querystring_of(asked: DocumentsQuery, **changes: Any) -> str:
    """The query of a list that differs from this one; another filter begins at its first page."""
    values = asdict(replace(asked, **({"page": 1} | changes)))
    usual = asdict(DocumentsQuery())
    values["unfolded"] = listed(changes.get("unfolded", asked.unfolded))
    usual["unfolded"] = ""
    return urlencode({PARAMETERS[name]: value for name, value in values.items() if value != usual[name]})


@register.filter
def listed(numbers: Iterable[int]) -> str:
    """As they are written in an address."""
    return ",".join(map(str, numbers))
