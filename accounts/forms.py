"""What people enter about themselves, and how the pages should behave for them."""

from typing import ClassVar

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Theme, User
from settings_pages.refusals import OFFERED, always_says


def languages() -> list[tuple[str, str]]:
    return [("", _("Same as the browser")), *settings.LANGUAGES]


class SettingsForm(forms.ModelForm):
    """Its fields are shown and saved one by one."""

    language = forms.ChoiceField(
        required=False,
        choices=languages,
        label=gettext_lazy("Language"),
        help_text=gettext_lazy("Of pages and mails. Documents and answers keep their own."),
        widget=forms.Select(attrs={"class": "select"}),
        error_messages=always_says(OFFERED),
    )

    class Meta:
        model = User
        fields = ("name", "theme", "language", "single_key_shortcuts", "show_answers_when_complete")
        labels: ClassVar = {
            "name": gettext_lazy("Name"),
            "theme": gettext_lazy("Theme"),
            "single_key_shortcuts": gettext_lazy("Single-key shortcuts"),
            "show_answers_when_complete": gettext_lazy("Show answers when complete"),
        }
        help_texts: ClassVar = {
            "name": gettext_lazy("Shown to people with whom you share a datasource."),
            "theme": gettext_lazy("On every device you sign in on."),
            "single_key_shortcuts": gettext_lazy(
                "Keys such as J, K and / act outside of fields. Ctrl K always works."
            ),
            "show_answers_when_complete": gettext_lazy(
                "The answer appears whole, not word by word. Calmer with a screen reader."
            ),
        }
        error_messages: ClassVar = {
            "name": {
                "required": gettext_lazy("Write a name."),
                "max_length": gettext_lazy("A name has at most %(limit_value)d characters."),
            },
            "theme": always_says(OFFERED),
        }
        widgets: ClassVar = {
            "name": forms.TextInput(attrs={"class": "input", "autocomplete": "name"}),
            "theme": forms.RadioSelect(attrs={"class": "check"}),
            "single_key_shortcuts": forms.CheckboxInput(attrs={"class": "switch", "role": "switch"}),
            "show_answers_when_complete": forms.CheckboxInput(attrs={"class": "switch", "role": "switch"}),
        }


class ThemeForm(forms.Form):
    theme = forms.ChoiceField(choices=Theme)
