"""The forms of datasources and of the people who share them. Rules are the services'; fields only ask."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import TextChoices

from datasources import scan_readers
from datasources.models import Chunking, Datasource, Recognition, Role, ScanReader
from formats.ocr.languages import name_of

FIELD_OF_CODE = {
    "name_missing": "name",
    "name_long": "name",
    "name_taken": "name",
    "description_long": "description",
    "chunk_size": "chunk_size",
    "chunk_overlap": "chunk_overlap",
    "scan_reader": "scan_reader",
    "scan_languages": "scan_languages",
    "already_owner": "email",
    "scope_missing": "scopes",
    "datasource_missing": "datasources",
}


def refuse(form: forms.BaseForm, refusal: ValidationError, fields: Mapping[str, str] = FIELD_OF_CODE) -> None:
    """Put a service's refusal beside the field that it is about: `fields` names one for each code."""
    field = fields.get(str(getattr(refusal, "code", "")))
    form.add_error(field if field in form.fields else None, refusal)


def focus_first_error(form: forms.BaseForm) -> None:
    """Let the page open at what was refused, wherever on it that is."""
    for name in form.fields:
        if name in form.errors:
            form.fields[name].widget.attrs["autofocus"] = True
            return


class CountedField(forms.CharField):
    """Text with a limit: pages count it, and cut nothing as `maxlength` would."""

    default_error_messages: ClassVar = {
        "max_length": "%(show_value)d of %(limit_value)d characters. Shorten it. Nothing was changed."
    }

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attrs = super().widget_attrs(widget)
        limit = attrs.pop("maxlength", None)
        return attrs | ({"data-limit": limit} if limit else {})


class KeptChoiceField(forms.ChoiceField):
    """A form may be sent without it: then it stays as it is."""

    def __init__(self, label: str, choices: type[TextChoices]) -> None:
        super().__init__(label=label, choices=choices.choices, widget=forms.Select(attrs={"class": "select"}))

    def validate(self, value: Any) -> None:
        if value:
            super().validate(value)


class NewDatasourceForm(forms.Form):
    name = CountedField(
        label="Name",
        max_length=120,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "autofocus": True}),
    )
    description = CountedField(
        label="What is in it",
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"class": "input", "rows": 2}),
    )
    # How many files the page's script holds for the new datasource.
    waiting = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)


class DatasourceForm(forms.ModelForm):
    """Unbound for a viewer's eyes too: the template shows it read-only then."""

    chunking = KeptChoiceField("How documents are split", Chunking)
    recognition = KeptChoiceField("Text recognition (OCR)", Recognition)
    scan_reader = KeptChoiceField("What reads scans", ScanReader)
    scan_languages = forms.MultipleChoiceField(
        label="Languages of scans",
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "check"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offers what there is here, and what was chosen once."""
        super().__init__(*args, **kwargs)
        chosen = self.instance
        datasource = chosen if chosen.pk else None
        readers = {*scan_readers.available(datasource), ScanReader(chosen.scan_reader)}
        self.fields["scan_reader"].choices = [  # type: ignore[attr-defined]
            choice for choice in ScanReader.choices if choice[0] in readers
        ]
        self.has_readers = len(readers) > 1
        languages = scan_readers.languages_to_choose(datasource)
        known = dict(languages)
        gone = [(code, name_of(code)) for code in chosen.scan_languages if code not in known]
        self.fields["scan_languages"].choices = [*languages, *gone]  # type: ignore[attr-defined]

    class Meta:
        model = Datasource
        fields = (
            "name", "description", "recognition", "scan_reader", "scan_languages", "chunking",
            "chunk_size", "chunk_overlap", "expansion",
        )  # fmt: skip
        field_classes: ClassVar = {"name": CountedField, "description": CountedField}
        labels: ClassVar = {
            "chunk_size": "Passage size",
            "chunk_overlap": "Overlap",
            "expansion": "Search for questions in other words too",
        }
        widgets = {
            "name": forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
            "description": forms.Textarea(attrs={"class": "input", "rows": 2}),
            "chunk_size": forms.NumberInput(attrs={"class": "input w-sm"}),
            "chunk_overlap": forms.NumberInput(attrs={"class": "input w-sm"}),
            "expansion": forms.CheckboxInput(attrs={"class": "check"}),
        }


class RoleForm(forms.Form):
    role = forms.ChoiceField(
        label="Role",
        choices=[(role.value, f"{role.value.capitalize()}: {role.label.lower()}") for role in Role],
        initial=Role.VIEWER,
        widget=forms.Select(attrs={"class": "select"}),
    )


class MemberForm(RoleForm):
    email = forms.EmailField(
        label="E-mail address", widget=forms.EmailInput(attrs={"class": "input", "autocomplete": "off"})
    )

    field_order = ("email", "role")
