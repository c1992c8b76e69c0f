"""Spending and budgets in the admin: what was spent is to be looked at, what may be can be changed."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from providers.spending.models import MonthlyBudget, Spending


@admin.register(Spending)
class SpendingAdmin(admin.ModelAdmin):
    list_display = (
        "day",
        "person",
        "datasource",
        "purpose",
        "model",
        "calls",
        "prompt_tokens",
        "completion_tokens",
        "money",
    )
    list_filter = ("day", "purpose", "model")
    search_fields = ("model", "host")
    date_hierarchy = "day"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(MonthlyBudget)
class MonthlyBudgetAdmin(admin.ModelAdmin):
    list_display = ("__str__", "tokens", "money")
    list_filter = ("datasource",)
    search_fields = ("datasource",)
