"""The month's budget on the settings page of a datasource."""

from typing import Any

from django.utils.translation import gettext as _

from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from providers.spending import budgets
from settings_pages.search import Place, Setting
from svq_site.usage.forms import MonthlyBudgetForm


class BudgetPanel(SettingsPanel):
    section, template, anchor = "models", "usage/_budget.html", "budget"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        month = budgets.month_of(datasource.pk)
        return {
            "month": month,
            "next_month": budgets.next_month(),
            "monthly_budget_form": MonthlyBudgetForm(initial=MonthlyBudgetForm.values(month)),
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        return _("The month's budget is used up.") if budgets.month_of(datasource.pk).used_up else ""

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Monthly budget"),
                self.anchor,
                help=_("What language models may cost in a month. Money, tokens"),
                more_words="cost price limit spending",
            )
        ]
