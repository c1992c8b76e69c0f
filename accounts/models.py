"""The person who signs in, by e-mail address, and how they like the app to behave."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models


class EmailUserManager(UserManager["User"]):
    """Makes accounts that are known by e-mail address alone."""

    def create_user(  # type: ignore[override]
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        if not email:
            raise ValueError("An account needs an e-mail address.")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(  # type: ignore[override]
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class Theme(models.TextChoices):
    SYSTEM = "system", "Same as the device"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"


class User(AbstractUser):
    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField(max_length=150, blank=True)
    theme = models.CharField(max_length=8, choices=Theme, default=Theme.SYSTEM)
    single_key_shortcuts = models.BooleanField(default=True)
    show_answers_when_complete = models.BooleanField(default=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[EmailUserManager] = EmailUserManager()

    def __str__(self) -> str:
        return self.email

    def get_full_name(self) -> str:
        return self.name or self.email

    @property
    def initials(self) -> str:
        """One or two capitals for the account button."""
        words = (self.name or self.email.split("@")[0].replace(".", " ")).split()
        return "".join(word[0] for word in words[:2]).upper() or "?"
