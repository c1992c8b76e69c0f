"""The form for a new API token: its name, what it may do, which datasources it reaches, how long it lasts."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.api_tokens import MAX_NAME
from accounts.models import TokenScope, User
from datasources.models import Datasource, Role
from datasources.web.forms import CountedField

ALL, SOME = "all", "some"
DAYS = {"7": _("7 days"), "30": _("30 days"), "90": _("90 days"), "365": _("1 year")}
USUAL_DAYS = "90"
MEANINGS = {
    TokenScope.READ: _("Search, read documents and the graph, and see your conversations."),
    TokenScope.ASK: _("Ask questions in your name and get their answers."),
    TokenScope.WRITE: _("Everything else that you may: add, change, delete, share."),
}


class RightsForm(forms.Form):
    """What a program may do for a person, and with which datasources."""

    scopes = forms.MultipleChoiceField(
        choices=TokenScope,
        initial=[TokenScope.READ, TokenScope.ASK],
        error_messages={"required": _("Tick what it may do.")},
    )
    reach = forms.ChoiceField(
        choices=[(ALL, _("All of yours, later ones too")), (SOME, _("Only these"))], initial=ALL
    )
    datasources = forms.ModelMultipleChoiceField(
        Datasource.objects.none(),
        required=False,
        error_messages={"invalid_choice": _("One of these datasources is gone. Choose again.")},
    )

    def __init__(self, person: User, *args: Any, offered: Iterable[str] = TokenScope, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = list(offered)
        scopes: Any = self.fields["scopes"]
        scopes.choices = [(scope.value, scope.label) for scope in TokenScope if scope in offered]
        self.fields["datasources"].queryset = Datasource.objects.visible_to(person, Role.ASKER)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("reach") == SOME and "datasources" in given and not given["datasources"]:
            self.add_error("datasources", gettext("Tick at least one datasource."))
        return given

    def meanings(self) -> list[tuple[TokenScope, str, bool]]:
        """Each right, what it means, and whether it is ticked."""
        ticked = self["scopes"].value() or []
        choices: Any = self.fields["scopes"]
        offered = [TokenScope(value) for value, label in choices.choices]
        return [(scope, str(MEANINGS[scope]), scope in ticked) for scope in offered]

    def offered(self) -> list[tuple[Datasource, bool]]:
        """The person's datasources, each with whether it is ticked."""
        ticked = {str(value) for value in self["datasources"].value() or []}
        chosen: Any = self.fields["datasources"]
        return [(datasource, str(datasource.pk) in ticked) for datasource in chosen.queryset]

    def rights(self) -> dict[str, Any]:
        """Of a valid form. `datasource_ids` None: all that are the person's."""
        given = self.cleaned_data
        only = given["reach"] == SOME
        return {
            "scopes": [TokenScope(scope) for scope in given["scopes"]],
            "datasource_ids": [datasource.pk for datasource in given["datasources"]] if only else None,
        }


class TokenForm(RightsForm):
    name = CountedField(
        label=_("Name"),
        max_length=MAX_NAME,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "autofocus": True}),
    )
    days = forms.ChoiceField(
        label=_("Lasts"),
        choices=list(DAYS.items()),
        initial=USUAL_DAYS,
        widget=forms.Select(attrs={"class": "select w-md"}),
    )

    def arguments(self) -> dict[str, Any]:
        """The arguments of `accounts.api_tokens.make_token`, of a valid form."""
        given = self.cleaned_data
        return {"name": given["name"], "days": int(given["days"]), **self.rights()}
