"""What a result loses with a document: the words that it took from it. Its scores stay."""

from collections.abc import Collection

from django.utils.translation import gettext_noop

from desks.evaluation.models import Result

DELETED = gettext_noop("The document was deleted.")


def without_documents(result: Result, documents: Collection[int]) -> bool:
    """Change the result in memory; False when it has nothing of these documents."""
    gone = set(documents)
    if not any(each["document"] in gone for each in (*result.citations, *result.passages)):
        return False
    result.trace = []
    if any(each["document"] in gone for each in result.citations):
        result.answer = DELETED
        result.judged = {}
    for statement in result.judged.get("statements", ()):
        statement["reason"] = ""  # the judge has read the passages that were not cited, too
    for each in result.citations:
        if each["document"] in gone:
            each |= {
                "document": None,
                "quote": "",
                "claim": "",
                "reason": DELETED,
                "start": None,
                "end": None,
            }
    result.passages = [each for each in result.passages if each["document"] not in gone]
    return True
