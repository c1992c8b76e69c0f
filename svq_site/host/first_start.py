"""What a new installation gets: an account to sign in with, and sample documents to try."""

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from accounts import addresses
from accounts.identity.models import GivenAdministrator
from accounts.models import User
from svq_site.dashboard.sample import load_samples
from svq_site.database import data_folder

PASSWORD_FILE = settings.DATA_DIR / "first-password"  # until it was shown on a terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """The password is known only here and now; the database keeps its hash."""

    email: str
    password: str

    def __str__(self) -> str:
        return f"Sign in as {self.email} with the password {self.password}"


def first_account() -> NewAccount | None:
    """An administrator with the sample documents when there is nobody yet, else None.

    Both or neither: the samples are never made later, so who deletes them is rid of them. The password is
    in PASSWORD_FILE before the account is there, so that no crash in between can lose it.
    Raises ValidationError for a wrong SVQ_ADMIN_EMAIL.
    """
    if User.objects.exists():
        return None
    with transaction.atomic():
        account = make_account(settings.ADMIN_EMAIL, admin=True)
        load_samples(User.objects.get(email=account.email))
        PASSWORD_FILE.unlink(missing_ok=True)
        data_folder.keep_secret(PASSWORD_FILE, f"{account}\n")
    return account


def make_account(email: str, *, admin: bool = False) -> NewAccount:
    """A new account with a generated password. Raises ValidationError when the address is wrong or taken."""
    validate_email(email)
    if User.objects.filter(email__iexact=email).exists():
        raise ValidationError(f"{email} has an account already. Add --reset for a new password.")
    password = new_password()
    create = User.objects.create_superuser if admin else User.objects.create_user
    return NewAccount(email=create(email, password).email, password=password)


def reset_password(email: str, *, admin: bool = False) -> NewAccount:
    """A new password for an account, which may become an administrator. Raises ValidationError."""
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        raise ValidationError(f"{email} has no account. Leave --reset out to make one.")
    password = new_password()
    user.set_password(password)
    user.is_active = True
    if admin:
        user.is_staff = user.is_superuser = True
    user.save()
    if admin:  # by hand: what a provider's groups say later takes nothing away
        GivenAdministrator.objects.filter(person=user).delete()
    addresses.confirm(user)
    return NewAccount(email=user.email, password=password)


def new_password() -> str:
    return secrets.token_urlsafe(12)
