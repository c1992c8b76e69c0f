"""What an owner says of a place that is followed, with the words of its kind."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import PeopleGroup
from exchange.connectors import services
from exchange.connectors.kinds.registry import kind_of
from exchange.connectors.models import Connector, Counterpart, Every
from settings_pages.refusals import OFFERED, always_says


def _text(**attributes: str) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "input", "autocomplete": "off", **attributes})


class HowForm(forms.Form):
    """How a folder is looked at. What a kind does not ask for is left out."""

    tenant = forms.CharField(required=False, max_length=services.LONGEST_NUMBER, widget=_text())
    application = forms.CharField(required=False, max_length=services.LONGEST_NUMBER, widget=_text())
    user_name = forms.CharField(required=False, max_length=services.LONGEST_NAME, widget=_text())
    secret = forms.CharField(
        required=False,
        strip=False,
        max_length=services.LONGEST_SECRET,
        widget=forms.PasswordInput(attrs={"class": "input", "autocomplete": "new-password"}),
    )
    region = forms.CharField(
        required=False, max_length=services.LONGEST_REGION, widget=_text(placeholder="us-east-1")
    )
    every = forms.TypedChoiceField(
        label=_("Look every"),
        choices=Every.choices,
        coerce=int,
        initial=Every.HOUR,
        error_messages=always_says(OFFERED),
        widget=forms.Select(attrs={"class": "select"}),
    )
    not_needed: ClassVar = frozenset({"secret"})  # an empty one keeps the one there is
    deletes = forms.BooleanField(
        label=_("What is deleted there is deleted here, too"),
        required=False,
        initial=True,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )

    def name_fields(self, value: str) -> None:
        """value: of the kind."""
        self.kind = kind = kind_of(value)
        for name in ("tenant", "application", "user_name", "secret", "region"):
            if label := kind.asks.get(name):
                self.fields[name].label = str(label)
                self.fields[name].required = name in kind.needed - self.not_needed
            else:
                self.fields.pop(name, None)
        if kind.tells_readers:
            del self.fields["deletes"]


class ChangeForm(HowForm):
    """Of a folder from which no file has come yet: its address, too."""

    place = forms.CharField(max_length=services.LONGEST_PLACE, widget=_text(spellcheck="false"))
    field_order = ("place", "tenant", "application", "user_name", "secret", "region", "every", "deletes")

    def name_fields(self, value: str) -> None:
        super().name_fields(value)
        self.fields["place"].label = str(self.kind.label)


class ConnectForm(ChangeForm):
    not_needed: ClassVar = frozenset()


class CounterpartsForm(forms.Form):
    """Which group of people here each of those is that the source names."""

    def __init__(self, connector: Connector, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self.rows = list(connector.counterparts.select_related("group"))
        for row in self.rows:
            self.fields[f"counterpart_{row.pk}"] = forms.ModelChoiceField(
                PeopleGroup.objects.all(),
                label=row.name,
                required=False,
                initial=row.group_id,
                empty_label=_("Nobody here"),
                error_messages=always_says(OFFERED),
                widget=forms.Select(attrs={"class": "select sm", "aria-label": row.name}),
            )

    @property
    def pairs(self) -> list[tuple[Counterpart, forms.BoundField]]:
        return [(row, self[f"counterpart_{row.pk}"]) for row in self.rows]

    @property
    def groups(self) -> dict[int, PeopleGroup | None]:
        """By the numbers of the counterparts."""
        return {row.pk: self.cleaned_data[f"counterpart_{row.pk}"] for row in self.rows}
