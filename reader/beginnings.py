"""How documents begin: there they say what they are."""

from django.db.models.functions import Left

from english.contracts.amendments import BEGINNING
from ingestion.models import Page

BEGINS = Left("text", BEGINNING)


def beginning_of(document: int) -> str:
    """The first of its first page; empty where it has none."""
    return Page.objects.filter(document=document, number=1).values_list(BEGINS, flat=True).first() or ""
