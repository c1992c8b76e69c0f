"""The form of a month's budget."""

from typing import Any

from django import forms

from providers.spending.budgets import Month
from settings_pages.refusals import always_says


class MonthlyBudgetForm(forms.Form):
    """What language models may cost in a month; an empty field is no limit."""

    tokens = forms.IntegerField(
        label="Tokens a month",
        min_value=0,
        show_hidden_initial=True,
        max_value=10**15,
        required=False,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
        error_messages=always_says(f"A whole number, from 0 to {10**15:,}. Empty: no limit."),
    )
    money = forms.DecimalField(
        label="Money a month",
        min_value=0,
        show_hidden_initial=True,
        max_digits=12,
        decimal_places=2,
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "inputmode": "decimal", "autocomplete": "off"}),
        error_messages=always_says(
            "An amount such as 1.50, with at most two digits after the point. Empty: no limit."
        ),
    )

    @staticmethod
    def values(month: Month) -> dict[str, Any]:
        return {"tokens": month.token_limit, "money": month.money_limit}
