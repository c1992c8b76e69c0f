"""The month's budget on the settings page of a datasource."""

from typing import Any

from datasources.models import Datasource
from datasources.settings_page import SettingsSection
from providers.spending import budgets
from svq_site.usage.forms import MonthlyBudgetForm


class BudgetOnSettingsPage(SettingsSection):
    template = "usage/_budget.html"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        month = budgets.month_of(datasource.pk)
        return {
            "month": month,
            "next_month": budgets.next_month(),
            "monthly_budget_form": MonthlyBudgetForm(initial=MonthlyBudgetForm.values(month)),
        }
