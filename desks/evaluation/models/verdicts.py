"""What people say of the judge: their own verdicts on statements that it has judged."""

from django.conf import settings
from django.db import models

from desks.evaluation.models.runs import Result


class Verdict(models.Model):
    """A person's, given without having seen the judge's."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="verdicts")
    statement = models.PositiveIntegerField(help_text="Its place in the result's `judged`.")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    supported = models.BooleanField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["result", "statement", "person"], name="one_verdict_each")
        ]

    def __str__(self) -> str:
        return "supported" if self.supported else "not supported"
