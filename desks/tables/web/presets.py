"""Columns to begin with, for the documents that people often compare. One a line, as they may be edited; in
the language of the page, as documents and their readers often share one.
"""

from collections import Counter
from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from datasources.short_names import short_names
from english.contracts.kinds import CHANGING, CONTRACTS
from text.word_lists import words

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from datasources.models import Document

MOST_LOOKED_AT = 200  # documents, to tell what most of them are
BY_TITLE = {
    "contracts": CONTRACTS | CHANGING,
    "reports": words("report results statement"),
    "policies": words("policy code guideline handbook manual procedure rules standard"),
}

PRESETS = (
    (
        "papers",
        gettext_noop("Papers"),
        gettext_noop(
            "Method: What method does this paper propose or use?\n"
            "Dataset: On which datasets is it evaluated?\n"
            "Metric: By which metric is the result measured?\n"
            "Result: What is the main result?\n"
            "Limitation: What limitations are stated?"
        ),
    ),
    (
        "contracts",
        gettext_noop("Contracts"),
        gettext_noop(
            "Parties: Who are the parties to this agreement?\n"
            "Effective date: When does this agreement take effect?\n"
            "Term: How long does this agreement last?\n"
            "Termination: How can this agreement be terminated, and with what notice?\n"
            "Liability: How is liability limited?\n"
            "Governing law: Which law governs this agreement?"
        ),
    ),
    (
        "reports",
        gettext_noop("Reports"),
        gettext_noop(
            "Period: Which period does this report cover?\n"
            "Revenue: What was the revenue?\n"
            "Result: What was the net income or loss?\n"
            "Risks: Which risks are named first?\n"
            "Outlook: What is said about the future?"
        ),
    ),
    (
        "policies",
        gettext_noop("Policies"),
        gettext_noop(
            "Purpose: What is the purpose of this document?\n"
            "Responsible: Who is responsible for it?\n"
            "Applies to: To whom or what does it apply?\n"
            "Review: How often is it reviewed?"
        ),
    ),
)


def suggested(documents: "QuerySet[Document]") -> str:
    """The key of the columns that fit most of the documents: papers are known by the name under which they
    are cited, others by the words of their titles. Where nothing tells, those of contracts.
    """
    titles = dict(documents.values_list("pk", "title")[:MOST_LOOKED_AT])
    papers = short_names(titles)
    kinds = Counter("papers" if pk in papers else _by_title(title) for pk, title in titles.items())
    del kinds[""]
    return kinds.most_common(1)[0][0] if kinds else "contracts"


def _by_title(title: str) -> str:
    said = title.casefold().split()
    return next((key for key, known in BY_TITLE.items() if not known.isdisjoint(said)), "")
