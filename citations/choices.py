"""What is said of a quote and its claim, and by whom."""

from django.db import models


class OnPage(models.TextChoices):
    """Whether the words of a quote stand on the page. It says nothing about the claim."""

    EXACT = "exact", "On the page, letter for letter"
    NORMALISED = "normalised", "On the page, but for spaces, hyphens or case"
    CORRECTED = "corrected", "On the page, corrected to its own words"
    ABSENT = "absent", "No source found"


class Support(models.TextChoices):
    """Whether a quote that stands on the page supports the claim before it."""

    SUPPORTED = "supported", "Supports the claim"
    FACTS_AGREE = "facts_agree", "Facts agree, wording differs"
    CONTRADICTED = "contradicted", "Contradicts the claim"
    NEEDS_EYE = "needs_your_eye", "Needs your eye"
    NONE = "none", "Nothing to judge"


class ConfirmedBy(models.TextChoices):
    """Who says that a quote supports its claim. The two kinds of yes are never counted as one kind."""

    NOBODY = "", "Nobody"
    CODE = "code", "Checked by code"
    READER = "reader", "Second reader"
