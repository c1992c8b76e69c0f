"""The form for a new share link."""

from typing import Any

from django import forms

from datasources.web.forms import CountedField
from shares.services import MAX_PASSWORD, MAX_RECIPIENT, MIN_PASSWORD

DAYS = {"1": "1 day", "7": "7 days", "30": "30 days", "90": "90 days"}
USUAL_DAYS = "7"


class ShareForm(forms.Form):
    recipient = CountedField(
        label="For whom",
        max_length=MAX_RECIPIENT,
        error_messages={"required": "Say for whom the link is."},
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "autofocus": True}),
    )
    days = forms.ChoiceField(
        label="Lasts",
        choices=list(DAYS.items()),
        initial=USUAL_DAYS,
        widget=forms.Select(attrs={"class": "select w-md"}),
    )
    password = forms.CharField(
        label="Password",
        required=False,
        strip=False,
        error_messages={"min_length": f"The password needs at least {MIN_PASSWORD} characters."},
        min_length=MIN_PASSWORD,
        max_length=MAX_PASSWORD,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "spellcheck": "false"}),
    )

    def arguments(self) -> dict[str, Any]:
        """Of `shares.services.make_link`, of a valid form."""
        given = self.cleaned_data
        return {"recipient": given["recipient"], "days": int(given["days"]), "password": given["password"]}
