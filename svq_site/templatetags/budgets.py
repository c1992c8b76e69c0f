"""What pages say while a month's budget for language models is used up."""

from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from providers.language_models import over_budget
from providers.spending.budgets import next_month

register = template.Library()


@register.simple_tag
def used_up_budget(datasource: Any) -> str:
    """A sentence; empty while something is left. Outside of datasources the deployment's counts."""
    stopped_by = over_budget(datasource or None)
    if stopped_by is None:
        return ""
    told = (
        _("This datasource has used up its month's budget for language models. It begins again on {day}.")
        if stopped_by
        else _("This server has used up its month's budget for language models. It begins again on {day}.")
    )
    return told.format(day=date_format(next_month(), "j F"))
