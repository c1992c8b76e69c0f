"""Changing a month's budget, and going on with what has waited for it."""

from typing import Unpack

from django.db import transaction

from graph.services import resume_held
from providers.spending import budgets


@transaction.atomic
def change_budget(datasource: int, **limits: Unpack[budgets.Limits]) -> None:
    """Of the datasource with that number, or of the deployment, which is 0. None is no limit."""
    budgets.set_budget(datasource, **limits)
    resume_held()
