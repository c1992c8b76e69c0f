"""What is said of a quote and its claim, and by whom."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class OnPage(models.TextChoices):
    """Whether the words of a quote stand on the page. It says nothing about the claim."""

    EXACT = "exact", _("On the page, letter for letter")
    NORMALISED = "normalised", _("On the page, but for spaces, hyphens or case")
    CORRECTED = "corrected", _("On the page, corrected to its own words")
    ABSENT = "absent", _("No source found")


class Support(models.TextChoices):
    """Whether a quote that stands on the page supports the claim before it."""

    SUPPORTED = "supported", _("Supports the claim")
    FACTS_AGREE = "facts_agree", _("Facts agree, wording differs")
    CONTRADICTED = "contradicted", _("Contradicts the claim")
    NEEDS_EYE = "needs_your_eye", _("Needs your eye")
    NONE = "none", _("Nothing to judge")


class ConfirmedBy(models.TextChoices):
    """Who says that a quote supports its claim. The two kinds of yes are never counted as one kind."""

    NOBODY = "", _("Nobody")
    CODE = "code", _("Checked by code")
    READER = "reader", _("Second reader")
