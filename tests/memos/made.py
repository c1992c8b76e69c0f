"""A notebook whose quotes have places on their pages."""

import zlib

import numpy as np

from accounts.models import User
from chat import notebook
from chat.models import Note
from citations.marks import mark
from datasources.models import Datasource, Document
from ingestion.models import Page
from tests.factories import make_document, make_turn

RENT, TERM = "The rent is 900 euro a month.", "The lease ends in May."


def with_places(document: Document) -> Document:
    """Each of its letters gets a place, on lines from the top of its page."""
    for page in document.pages.all():
        letters = np.zeros((len(page.text), 4))
        for at in range(len(page.text)):
            x, y = 80 + (at % 60) * 14, 100 + (at // 60) * 24
            letters[at] = (x, y, x + 12, y + 16)
        boxes = (letters * 65.535).astype("<u2")
        Page.objects.filter(pk=page.pk).update(boxes=zlib.compress(boxes.tobytes()))
    return document


def make_notes(datasource: Datasource, author: User) -> tuple[Document, list[Note]]:
    """Two answers, each of a lease with its quote, and the first one's quote once more with a remark."""
    lease = with_places(make_document(datasource, "Lease", RENT))
    annex = with_places(make_document(datasource, "Annex", TERM))
    rent = make_turn(author, lease, "What is the rent?", answer=f"900 euro. {mark(1)}")
    term = make_turn(author, annex, "When does it end?", answer=f"In May. {mark(1)}")
    notes = [
        notebook.keep_answer(author, rent),
        notebook.keep_answer(author, term),
        notebook.keep_quote(author, rent.citations.get()),
    ]
    notebook.remark(notes[2], "Ask the landlord.")
    return lease, notes
