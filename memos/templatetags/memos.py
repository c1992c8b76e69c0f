"""The memos of a datasource, for the notebook's page, which stands below this app."""

from collections.abc import Iterable

from django import template

from datasources.models import Datasource
from memos.models import Memo

register = template.Library()


@register.simple_tag
def memos_of(datasource: Datasource) -> Iterable[Memo]:
    """The last saved first, without their texts."""
    return datasource.memos.select_related("author").defer("text", "sources")
