"""The form of a month's budget."""

from typing import Any

from django import forms

from providers.spending.budgets import Month


class MonthlyBudgetForm(forms.Form):
    """What language models may cost in a month; an empty field is no limit."""

    tokens = forms.IntegerField(
        label="Tokens a month",
        min_value=0,
        show_hidden_initial=True,
        max_value=10**15,
        required=False,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
    )
    money = forms.DecimalField(
        label="Money a month",
        min_value=0,
        show_hidden_initial=True,
        max_digits=12,
        decimal_places=2,
        required=False,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "decimal", "step": "any"}),
    )

    @staticmethod
    def values(month: Month) -> dict[str, Any]:
        return {"tokens": month.token_limit, "money": month.money_limit}
