"""Passwords that are refused because they are easily guessed."""

import re

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

PARTS_FROM = 3  # characters; shorter parts of an address are in many words
REST_FROM = 8  # characters that a password needs in addition to parts of the address


class LongEnough(MinimumLengthValidator):
    """Django's own, in words of ours: not all of its catalogues have the sentence."""

    def get_error_message(self) -> str:
        return ngettext(
            "This password is too short. It must have at least {n} character.",
            "This password is too short. It must have at least {n} characters.",
            self.min_length,
        ).format(n=self.min_length)


class NotOnlyDigits:
    """Refuses numbers: years, dates, telephone numbers, however they are written."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if not re.sub(r"[\W_]", "", re.sub(r"\d", "", password)) and re.search(r"\d", password):
            raise ValidationError(
                _("This password is only a number. Add words to it."), code="password_numeric"
            )

    def get_help_text(self) -> str:
        return _("Not only a number.")


class NotTheAddress:
    """Refuses what is left too short once the person's address and name are taken out of it."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if user is None:
            return
        known = f"{getattr(user, 'email', '')} {getattr(user, 'name', '')}".lower()
        parts = {part for part in re.split(r"[\W_]+", known) if len(part) >= PARTS_FROM}
        rest = squeezed = re.sub(r"[\W_]", "", password.lower())
        for part in sorted(parts, key=len, reverse=True):
            rest = rest.replace(part, "").replace(part[::-1], "")
        if rest != squeezed and len(rest) < REST_FROM:
            raise ValidationError(
                _(
                    "This password is too much like your address or name. Choose one that others cannot "
                    "guess."
                ),
                code="password_too_similar",
            )

    def get_help_text(self) -> str:
        return _("Not like your address or name.")
