"""Sentences and parts of them: {{ text|told:words }}, {{ label|within }}, {% comma %},
{% if_imported document %}, {% in_dialog address as name %}.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from localization.casing import within_a_sentence
from localization.lists import remarks
from localization.stored import told

register = template.Library()
register.filter("within", within_a_sentence)
register.filter("told", told)


@register.filter
def told_notice(notice: Mapping[str, Any]) -> str:
    """A notice beside an answer; only one with values has words."""
    return told(str(notice["text"]), notice.get("words"))


@register.simple_tag
def comma() -> str:
    """Between two remarks that are no sentence: “71 KB, added by you”."""
    return remarks("", "")


@register.simple_tag
def if_imported(document: Any) -> str:
    """Behind what is said of a document, that its text was not read here. document: has `read_elsewhere`, as
    a value of its own or as the row.
    """
    is_so = document["read_elsewhere"] if isinstance(document, Mapping) else document.read_elsewhere
    said = _("text from an imported file")
    return f"{comma()}{said}" if is_so else ""


@register.simple_tag
def in_dialog(address: str, **query: str) -> SafeString:
    """The attributes of a link that opens a dialog, for `<a {{ opening }}>` in a message: what it is made of
    is none of a translator's business.
    """
    if query:
        address = f"{address}?{urlencode(query, quote_via=quote, safe='/')}"
    return format_html('class="link" href="{0}" hx-get="{0}" hx-target="#dialog"', address)
