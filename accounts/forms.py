"""What people enter about themselves, and how the pages should behave for them."""

from django import forms

from accounts.models import Theme, User


class SettingsForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("name", "theme", "single_key_shortcuts", "show_answers_when_complete")


class ThemeForm(forms.Form):
    theme = forms.ChoiceField(choices=Theme)
