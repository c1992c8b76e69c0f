"""The forms about reading for the graph. Rules are the services'; fields only ask."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from datasources.web.number_fields import AmountField, WholeField
from graph.models import GraphExtractor, GraphSettings
from graph.values.ontology import Ontology
from localization.numbers import lazy_numeral
from localization.promises import StrOrPromise
from localization.typed import names_apart
from settings_pages.refusals import OFFERED, always_says

FIELD_OF_CODE = {
    "no_model": "extractor",
    "many_types": "entity_types",
    "prices_unknown": "money",
}


class BudgetForm(forms.Form):
    """What the graph may cost in all; an empty field is no limit."""

    tokens = WholeField(
        label=_("Tokens"),
        min_value=0,
        show_hidden_initial=True,
        max_value=10**15,
        required=False,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
        error_messages=always_says(
            format_lazy(_("A whole number, from 0 to {most}. Empty: no limit."), most=lazy_numeral(10**15))
        ),
    )
    money = AmountField(
        label=_("Money"),
        min_value=0,
        show_hidden_initial=True,
        max_digits=12,
        decimal_places=4,
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "inputmode": "decimal", "autocomplete": "off"}),
        error_messages=always_says(
            _("An amount such as 1.50, with at most four digits after the point. Empty: no limit.")
        ),
    )

    @staticmethod
    def values(chosen: GraphSettings) -> dict[str, Any]:
        money = chosen.money_budget
        shown = None if money is None else f"{money.normalize():f}"
        return {"tokens": chosen.token_budget, "money": shown}


class TypesField(forms.CharField):
    """Names of types, separated by commas or lines."""

    def clean(self, value: Any) -> Any:
        return names_apart(super().clean(value))


def types_field(label: StrOrPromise, help_text: StrOrPromise) -> TypesField:
    widget = forms.Textarea(attrs={"class": "input", "rows": 2, "spellcheck": "false"})
    return TypesField(label=label, required=False, max_length=4000, widget=widget, help_text=help_text)


class ExtractorForm(forms.Form):
    """Who reads."""

    extractor = forms.ChoiceField(
        label=_("Who reads"), choices=GraphExtractor.choices, error_messages=always_says(OFFERED)
    )


class TypesForm(forms.Form):
    """What the language model looks for."""

    ontology = forms.TypedChoiceField(
        label=_("Kinds of things"),
        choices=Ontology.choices,
        coerce=Ontology,
        error_messages=always_says(OFFERED),
        widget=forms.Select(attrs={"class": "select"}),
        help_text=_("The language model looks for these in what it reads afterwards. Nothing is read again."),
    )
    entity_types = types_field(
        _("Your own kinds of things"),
        _("In place of the preset's, separated by commas, such as SHIP, SEA PORT."),
    )
    relation_types = types_field(
        _("Your own kinds of connections"), _("In place of the preset's, such as SAILS TO.")
    )

    @classmethod
    def of(cls, chosen: GraphSettings, data: QueryDict | None = None) -> "TypesForm":
        """As they are now, and what was sent."""
        values = {
            "ontology": chosen.ontology,
            "entity_types": ", ".join(chosen.entity_types),
            "relation_types": ", ".join(chosen.relation_types),
        }
        return cls(data, initial=values)
