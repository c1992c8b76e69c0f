"""The forms of allauth that know of invitations and of the audit log."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, SignupForm
from allauth.core import context
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.audit_sign_in import not_let_in
from accounts.invitations import account_invitation_in


class SignUpForm(SignupForm):
    """An invitation opens the page for its address alone. `invited`: the one that was opened, or None."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.invited = account_invitation_in(context.request)
        if self.invited is not None:
            self.fields["email"].initial = self.invited.email
            if not settings.SIGNUP_OPEN:
                self.fields["email"].widget.attrs["readonly"] = True

    def clean_email(self) -> str:
        """Raises ValidationError."""
        email: str = super().clean_email()
        invited = None if settings.SIGNUP_OPEN else self.invited
        if invited is not None and email.lower() != invited.email:
            raise ValidationError(
                _("You are invited as {email}. Make the account with that address.").format(
                    email=invited.email
                )
            )
        # Others don't learn it from this page; who is invited knows the address, and the account is theirs.
        if self.account_already_exists and self.invited is not None and email.lower() == self.invited.email:
            raise ValidationError(_("There is an account with this address already."), code="account_exists")
        return email


class PasswordForm(ChangePasswordForm):
    """Whoever found a browser signed in may guess here: that is noted as at sign-in."""

    def clean_oldpassword(self) -> str:
        """Raises ValidationError."""
        try:
            password: str = super().clean_oldpassword()
        except ValidationError:
            not_let_in(context.request, self.user, "changing the password")
            raise
        return password
