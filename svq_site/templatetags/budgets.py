"""What pages say while a month's budget for language models is used up."""

from typing import Any

from django import template
from django.utils.dateformat import format as date_format

from providers.language_models import over_budget
from providers.spending.budgets import next_month

register = template.Library()


@register.simple_tag
def used_up_budget(datasource: Any) -> str:
    """A sentence; empty while something is left. Outside of datasources the deployment's counts."""
    stopped_by = over_budget(datasource or None)
    if stopped_by is None:
        return ""
    whose = "This datasource" if stopped_by else "This server"
    again = date_format(next_month(), "j F")
    return f"{whose} has used up its month's budget for language models. It begins again on {again}."
