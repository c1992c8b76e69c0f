"""What an editor sends of a memo."""

from django import forms


class MemoForm(forms.Form):
    """The limits of title and text are checked where they are stored."""

    title = forms.CharField(required=False)
    text = forms.CharField(required=False, strip=False)
    edition = forms.IntegerField(min_value=0)
