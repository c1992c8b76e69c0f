"""The form for a new API token: its name, what it may do, which datasources it reaches, how long it lasts."""

from typing import Any

from django import forms

from accounts.api_tokens import MAX_NAME
from accounts.models import TokenScope, User
from datasources.models import Datasource, Role
from datasources.web.forms import CountedField

ALL, SOME = "all", "some"
DAYS = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "1 year"}
USUAL_DAYS = "90"
MEANINGS = {
    TokenScope.READ: "Search, read documents and the graph, and see your conversations.",
    TokenScope.ASK: "Ask questions in your name and get their answers.",
    TokenScope.WRITE: "Everything else that you may: add, change, delete, share.",
}


class TokenForm(forms.Form):
    name = CountedField(
        label="Name",
        max_length=MAX_NAME,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "autofocus": True}),
    )
    scopes = forms.MultipleChoiceField(
        choices=TokenScope,
        initial=[TokenScope.READ, TokenScope.ASK],
        error_messages={"required": "Tick what the token may do."},
    )
    reach = forms.ChoiceField(
        choices=[(ALL, "All of yours, later ones too"), (SOME, "Only these")], initial=ALL
    )
    datasources = forms.ModelMultipleChoiceField(
        Datasource.objects.none(),
        required=False,
        error_messages={"invalid_choice": "One of these datasources is gone. Choose again."},
    )
    days = forms.ChoiceField(
        label="Lasts",
        choices=list(DAYS.items()),
        initial=USUAL_DAYS,
        widget=forms.Select(attrs={"class": "select w-md"}),
    )

    def __init__(self, person: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["datasources"].queryset = Datasource.objects.visible_to(person, Role.ASKER)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("reach") == SOME and "datasources" in given and not given["datasources"]:
            self.add_error("datasources", "Tick at least one datasource.")
        return given

    def meanings(self) -> list[tuple[TokenScope, str, bool]]:
        """Each right, what it means, and whether it is ticked."""
        ticked = self["scopes"].value() or []
        return [(scope, meaning, scope in ticked) for scope, meaning in MEANINGS.items()]

    def offered(self) -> list[tuple[Datasource, bool]]:
        """The person's datasources, each with whether it is ticked."""
        ticked = {str(value) for value in self["datasources"].value() or []}
        chosen: Any = self.fields["datasources"]
        return [(datasource, str(datasource.pk) in ticked) for datasource in chosen.queryset]

    def arguments(self) -> dict[str, Any]:
        """The arguments of `accounts.api_tokens.make_token`, of a valid form."""
        given = self.cleaned_data
        only = given["reach"] == SOME
        return {
            "name": given["name"],
            "scopes": [TokenScope(scope) for scope in given["scopes"]],
            "datasource_ids": [datasource.pk for datasource in given["datasources"]] if only else None,
            "days": int(given["days"]),
        }
