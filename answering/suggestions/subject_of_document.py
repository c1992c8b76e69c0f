"""The name of the company that a report calls "the Company", if there is no doubt about it."""

import re
from collections.abc import Iterable

from django.db.models import Count, Min

from datasources.models import Document
from english.companies import CALLS_ITSELF, FORM, FORM_OR_COMPANY
from graph.models import EntityMention

MENTIONS = 5  # of the name, at least
CALLS = 2  # itself so, at least

_CALLS_ITSELF = re.compile(rf"\b(?:{CALLS_ITSELF}|[Oo]ur company)\b")
_NOT_SAID = re.compile(rf",? {FORM}\.?$")
_LEGAL_FORM = re.compile(rf",? {FORM_OR_COMPANY}\.?$")


def short_name(name: str) -> str:
    """Without its legal form; whole if it begins with "The", or if nothing else is in it."""
    return name if name.startswith("The ") else _NOT_SAID.sub("", name) or name


def owner_of(document: Document, texts: Iterable[str]) -> str:
    """Its short name; empty if the document does not use such words, or names two companies equally often."""
    if sum(len(_CALLS_ITSELF.findall(text)) for text in texts) < CALLS:
        return ""
    named = EntityMention.objects.filter(
        document=document, types__contains=["ORGANIZATION"], named__entity__hidden=False
    )
    rows = named.values_list("named__entity__name").annotate(
        mentions=Count("pk"), page=Min("chunk__first_page")
    )
    found: list[tuple[str, int, int]] = list(rows.order_by("-mentions", "named__entity__name")[:5])
    if not found:
        return ""
    name, mentions, page = found[0]
    rivals = [count for other, count, _ in found[1:] if _LEGAL_FORM.search(other)]
    doubtful = mentions < max(MENTIONS, 2 * max(rivals, default=0)) or page != 1
    return "" if doubtful else short_name(name)
