"""People's instructions for all answers in a datasource."""

from django.conf import settings
from django.db import models

from datasources.models import Datasource


class Instructions(models.Model):
    """A person's instructions for all answers in a datasource, in their own words."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = models.TextField()
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "instructions"
        constraints = [
            models.UniqueConstraint(fields=["datasource", "user"], name="one_set_of_instructions_each")
        ]

    def __str__(self) -> str:
        return self.text[:80]
