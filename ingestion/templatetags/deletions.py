"""A receipt of a deletion as rows of a table."""

from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

from datasources.models import Deletion

register = template.Library()

READERS_WORDS = {
    "chunks": _("Passages"),
    "doubts": _("Doubtful regions of pages"),
    "assessment_findings": _("Results of checks"),
    "assessment_quotes": _("Quotes in checks"),
    "evaluation_questions": _("Test questions"),
    "evaluation_answers": _("Answers to test questions"),
    "gold_quotes": _("Quotes that test questions expect"),
    "nearest_passages": _("Lists of nearest passages beside answers"),
    "surroundings_of_quotes": _("Sentences around quotes"),
    "progress_events": _("Messages on how far the reading was"),
}


@register.filter
def receipt_rows(deletion: Deletion) -> list[dict[str, Any]]:
    """A row for each kind: its noun, how much was removed, how much is left (None before the first check)."""
    left = deletion.left
    kinds = [*deletion.removed, *(kind for kind in left or {} if kind not in deletion.removed)]
    return [
        {
            "kind": READERS_WORDS.get(kind) or kind.replace("_", " ").capitalize(),
            "removed": deletion.removed.get(kind, 0),
            "left": None if left is None else left.get(kind, 0),
        }
        for kind in kinds
    ]
