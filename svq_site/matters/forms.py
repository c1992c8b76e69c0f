"""The forms of matters. Rules are those of `datasources.matters`; fields only ask."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from datasources.access import roles_of
from datasources.matters import LONGEST_NAME
from datasources.models import Datasource, Role
from datasources.web.forms import CountedField
from settings_pages.refusals import OFFERED, always_says


class MatterForm(forms.Form):
    name = CountedField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        error_messages={"required": _("Give the matter a name.")},
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )


class PutInForm(forms.Form):
    datasource = forms.ChoiceField(
        label=_("Datasource"),
        error_messages=always_says(OFFERED),
        widget=forms.Select(attrs={"class": "select"}),
    )

    def __init__(self, person: User, *args: Any, **kwargs: Any) -> None:
        """Offers those that the person owns and that are in no matter."""
        super().__init__(*args, **kwargs)
        free = list(Datasource.objects.listed_for(person).filter(matter=None).order_by("name", "pk"))
        roles = roles_of(person, free)
        self.offered = {str(each.pk): each for each in free if roles.get(each.pk) == Role.OWNER}
        self.fields["datasource"].choices = [  # type: ignore[attr-defined]
            ("", _("Choose one")),
            *((number, each.name) for number, each in self.offered.items()),
        ]

    @property
    def chosen(self) -> Datasource:
        return self.offered[self.cleaned_data["datasource"]]
