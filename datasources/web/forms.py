"""The forms of datasources and of the people who share them. Rules are the services'; fields only ask."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.invitations import USUAL_DAYS
from accounts.models import PeopleGroup
from datasources import scan_readers
from datasources.models import CHUNK_SIZES, Datasource, Recognition, Role, ScanReader
from formats.ocr.languages import name_of
from settings_pages.refusals import OFFERED, always_says, whole_number

# What is read where no language is chosen: by whether there are several readers.
NONE_CHOSEN = {
    False: _("A choice keeps out letters of other scripts. Without one, SVQ reads all that it knows."),
    True: _(
        "A choice keeps out letters of other scripts. Without one, SVQ's own reader reads all that it "
        "knows, and Tesseract English."
    ),
}
SIZE_ALLOWED = whole_number(*CHUNK_SIZES, "characters")
OVERLAP_ALLOWED = always_says(_("A whole number of characters, at most half of a passage."))
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
        "max_length": _("%(show_value)d of %(limit_value)d characters. Shorten it.")
    }

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attrs = super().widget_attrs(widget)
        limit = attrs.pop("maxlength", None)
        return attrs | ({"data-limit": limit} if limit else {})


class NewDatasourceForm(forms.Form):
    name = CountedField(
        label=_("Name"),
        max_length=120,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "autofocus": True}),
    )
    description = CountedField(
        label=_("What is in it"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"class": "input", "rows": 2}),
    )
    # How many files the page's script holds for the new datasource.
    waiting = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)


class DatasourceForm(forms.ModelForm):
    """Its fields are shown and saved one by one; those of the splitting go together."""

    recognition = forms.ChoiceField(
        error_messages=always_says(OFFERED),
        label=_("Text recognition (OCR)"),
        choices=Recognition.choices,
        widget=forms.RadioSelect(attrs={"class": "check"}),
        help_text=_(
            "For scans and photographs. A page takes about five seconds. For files added from now "
            "on: those that are here stay as they are."
        ),
    )
    scan_reader = forms.ChoiceField(
        error_messages=always_says(OFFERED),
        label=_("What reads scans"),
        choices=ScanReader.choices,
        widget=forms.Select(attrs={"class": "select"}),
        help_text=_(
            "SVQ's own reader knows Latin letters, Chinese and Japanese. An OCR server gets pictures "
            "of the pages; an administrator connects one, or an owner where administrators allow it."
        ),
    )
    scan_languages = forms.MultipleChoiceField(
        error_messages=always_says(OFFERED),
        label=_("Languages of scans"),
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
        gone = [(code, _(name_of(code))) for code in chosen.scan_languages if code not in known]
        self.fields["scan_languages"].choices = [*languages, *gone]  # type: ignore[attr-defined]
        self.fields["scan_languages"].help_text = NONE_CHOSEN[self.has_readers]
        for field in self.splitting:
            field.field.show_hidden_initial = True

    @property
    def splitting(self) -> list[forms.BoundField]:
        """The fields that only make sense together."""
        return [self[name] for name in ("chunking", "chunk_size", "chunk_overlap")]

    class Meta:
        model = Datasource
        fields = (
            "name",
            "description",
            "recognition",
            "scan_reader",
            "scan_languages",
            "chunking",
            "chunk_size",
            "chunk_overlap",
            "expansion",
        )
        field_classes: ClassVar = {"name": CountedField, "description": CountedField}
        labels: ClassVar = {
            "name": _("Name"),
            "description": _("What is in it"),
            "chunking": _("How documents are split"),
            "chunk_size": _("Passage size"),
            "chunk_overlap": _("Overlap"),
            "expansion": _("Search for questions in other words too"),
        }
        help_texts: ClassVar = {
            "name": _("Everybody who sees it sees this name. Links to it stay as they are."),
            "description": _("Shown on its card and above its documents, and told to programs that connect."),
            "chunking": _("Where one passage ends and the next begins."),
            "chunk_size": _("Characters in a passage, from 200 to 8,000."),
            "chunk_overlap": _("Characters that two passages share, at most half of one."),
            "expansion": _(
                "The language model writes three wordings for each search of an answer, one call "
                "each time: more is found, and it takes longer."
            ),
        }
        error_messages: ClassVar = {
            "name": {"required": _("A datasource needs a name.")},
            "chunking": always_says(OFFERED),
            "chunk_size": SIZE_ALLOWED,
            "chunk_overlap": OVERLAP_ALLOWED,
        }
        widgets = {
            "name": forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
            "description": forms.Textarea(attrs={"class": "input", "rows": 2}),
            "chunking": forms.Select(attrs={"class": "select"}),
            "chunk_size": forms.NumberInput(attrs={"class": "input w-sm"}),
            "chunk_overlap": forms.NumberInput(attrs={"class": "input w-sm"}),
            "expansion": forms.CheckboxInput(attrs={"class": "switch", "role": "switch"}),
        }


def offered_roles() -> list[tuple[str, str]]:
    """Each with what it may do."""
    return [(role.value, role.described[:1].upper() + role.described[1:]) for role in Role]


class RoleForm(forms.Form):
    role = forms.ChoiceField(
        label=_("Role"),
        error_messages=always_says(OFFERED),
        choices=offered_roles,
        initial=Role.VIEWER,
        widget=forms.Select(attrs={"class": "select"}),
    )


class GroupForm(RoleForm):
    """With which group: their names are offered to every owner. besides: those that have a role already, by
    number, or as a query.
    """

    group = forms.ModelChoiceField(
        PeopleGroup.objects.all(),
        label=_("Group"),
        empty_label=None,
        error_messages=always_says(OFFERED),
        widget=forms.Select(attrs={"class": "select"}),
    )

    field_order = ("group", "role")

    prefix = "group"

    def __init__(self, *args: Any, besides: Any = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["group"]
        field.queryset = PeopleGroup.objects.exclude(pk__in=besides)


class MemberForm(RoleForm):
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"class": "input", "autocomplete": "off"})
    )

    field_order: tuple[str, ...] = ("email", "role")


class JoinLinkForm(MemberForm):
    """Fields as for sharing with an address, which is not needed here."""

    days = forms.ChoiceField(
        label=_("Lasts"),
        choices=[("1", _("1 day")), ("7", _("7 days")), ("30", _("30 days"))],
        initial=str(USUAL_DAYS),
        widget=forms.Select(attrs={"class": "select"}),
    )
    field_order = ("email", "role", "days")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].required = False
        self.fields["email"].label = _("For which address")
