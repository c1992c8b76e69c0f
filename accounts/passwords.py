"""Passwords that are refused because they are easily guessed."""

import re

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError

PARTS_FROM = 3  # characters; shorter parts of an address are in many words
REST_FROM = 8  # characters that a password needs in addition to parts of the address


class NotOnlyDigits:
    """Refuses numbers: years, dates, telephone numbers, however they are written."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if not re.sub(r"[\W_]", "", re.sub(r"\d", "", password)) and re.search(r"\d", password):
            raise ValidationError("This password is only a number. Add words to it.", code="password_numeric")

    def get_help_text(self) -> str:
        return "Not only a number."


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
                "This password is too much like your address or name. Choose one that others cannot guess.",
                code="password_too_similar",
            )

    def get_help_text(self) -> str:
        return "Not like your address or name."
