"""Naming somebody who has an account by their address, and an address that has none yet."""

from django import forms

from accounts.models import User

NOBODY = "There is no open account with this address."


class InviteForm(forms.Form):
    """An address."""

    email = forms.EmailField(
        label="E-mail address", widget=forms.EmailInput(attrs={"class": "input", "autocomplete": "off"})
    )


class PersonForm(InviteForm):
    """Its address becomes the person, whose account is open."""

    def clean_email(self) -> User:
        found = User.objects.filter(email__iexact=self.cleaned_data["email"], is_active=True).first()
        if found is None:
            raise forms.ValidationError(NOBODY)
        return found
