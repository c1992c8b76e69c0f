"""Naming somebody who has an account by their address, and an address that has none yet."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from accounts.models import User

NOBODY = gettext_lazy("There is no open account with this address.")


def open_account(email: str) -> User:
    """Raises ValidationError where nobody has that address, or the account is shut."""
    found = User.objects.filter(email__iexact=email, is_active=True).first()
    if found is None:
        raise ValidationError(NOBODY, code="nobody")
    return found


class InviteForm(forms.Form):
    """An address."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        widget=forms.EmailInput(attrs={"class": "input", "autocomplete": "off"}),
    )


class PersonForm(InviteForm):
    """Its address becomes the person, whose account is open."""

    def clean_email(self) -> User:
        return open_account(self.cleaned_data["email"])
