"""What is said about requirements; knows no rows, so that it can be read where compliance is left out."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Verdict(models.TextChoices):
    """What is said about a requirement, or a part of one."""

    COVERED = "covered", _("Covered")
    PARTIAL = "partial", _("Partial")
    MISSING = "missing", _("Missing")
    NOT_APPLICABLE = "n/a", _("Not applicable")
    TO_JUDGE = "to_judge", _("To be judged")


GAPS = (Verdict.PARTIAL, Verdict.MISSING)
