"""What people enter about themselves, and how the pages should behave for them."""

from typing import ClassVar

from django import forms

from accounts.models import Theme, User
from settings_pages.refusals import OFFERED, always_says


class SettingsForm(forms.ModelForm):
    """Its fields are shown and saved one by one."""

    class Meta:
        model = User
        fields = ("name", "theme", "single_key_shortcuts", "show_answers_when_complete")
        labels: ClassVar = {
            "single_key_shortcuts": "Single-key shortcuts",
            "show_answers_when_complete": "Show answers when complete",
        }
        help_texts: ClassVar = {
            "name": "Shown to people with whom you share a datasource.",
            "theme": "On every device you sign in on.",
            "single_key_shortcuts": "Keys such as J, K and / act outside of fields. Ctrl K always works.",
            "show_answers_when_complete": "The answer appears whole, not word by word. Calmer with a "
            "screen reader.",
        }
        error_messages: ClassVar = {
            "name": {
                "required": "Write a name.",
                "max_length": "A name has at most %(limit_value)d characters.",
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
