"""Whether everybody needs a second factor."""

from django.db import models


class SecondFactorRule(models.Model):
    """One row at most; without one, people do as they like."""

    required = models.BooleanField(default=False)

    def __str__(self) -> str:
        return "required" if self.required else "as people like"
