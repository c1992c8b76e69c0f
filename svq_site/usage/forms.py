"""The form of a month's budget."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from datasources.web.number_fields import AmountField, WholeField
from localization.numbers import lazy_numeral
from providers.spending.budgets import Month
from settings_pages.refusals import always_says


class MonthlyBudgetForm(forms.Form):
    """What language models may cost in a month; an empty field is no limit."""

    tokens = WholeField(
        label=gettext_lazy("Tokens a month"),
        min_value=0,
        show_hidden_initial=True,
        max_value=10**15,
        required=False,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
        error_messages=always_says(
            format_lazy(
                gettext_lazy("A whole number, from 0 to {most}. Empty: no limit."), most=lazy_numeral(10**15)
            )
        ),
    )
    money = AmountField(
        label=gettext_lazy("Money a month"),
        min_value=0,
        show_hidden_initial=True,
        max_digits=12,
        decimal_places=2,
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "inputmode": "decimal", "autocomplete": "off"}),
        error_messages=always_says(
            gettext_lazy("An amount such as 1.50, with at most two digits after the point. Empty: no limit.")
        ),
    )

    @staticmethod
    def values(month: Month) -> dict[str, Any]:
        return {"tokens": month.token_limit, "money": month.money_limit}
