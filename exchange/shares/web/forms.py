"""The form for a new share link."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy, ngettext_lazy

from datasources.web.forms import CountedField
from exchange.shares.services import MAX_PASSWORD, MAX_RECIPIENT, MIN_PASSWORD

DAYS = {str(n): format_lazy(ngettext_lazy("{n} day", "{n} days", n), n=n) for n in (1, 7, 30, 90)}
USUAL_DAYS = "7"


class ShareForm(forms.Form):
    recipient = CountedField(
        label=gettext_lazy("For whom"),
        max_length=MAX_RECIPIENT,
        error_messages={"required": gettext_lazy("Say for whom the link is.")},
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "autofocus": True}),
    )
    days = forms.ChoiceField(
        label=gettext_lazy("Lasts"),
        choices=list(DAYS.items()),
        initial=USUAL_DAYS,
        widget=forms.Select(attrs={"class": "select w-md"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        required=False,
        strip=False,
        error_messages={
            "min_length": format_lazy(
                gettext_lazy("The password needs at least {n} characters."), n=MIN_PASSWORD
            )
        },
        min_length=MIN_PASSWORD,
        max_length=MAX_PASSWORD,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "spellcheck": "false"}),
    )

    def arguments(self) -> dict[str, Any]:
        """Of `exchange.shares.services.make_link`, of a valid form."""
        given = self.cleaned_data
        return {"recipient": given["recipient"], "days": int(given["days"]), "password": given["password"]}
