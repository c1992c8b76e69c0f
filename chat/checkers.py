"""Who has checked what of a citation, in sentences. The words and the claim are two checks."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.models import DOCUMENT_DELETED, Citation
from citations.choices import ConfirmedBy, OnPage, Support

_FOUND = {
    OnPage.EXACT: gettext_lazy("The words: SVQ’s code found them in the document, letter for letter."),
    OnPage.NORMALISED: gettext_lazy(
        "The words: SVQ’s code found them in the document, but for spaces, hyphens or case."
    ),
    OnPage.CORRECTED: gettext_lazy(
        "The words: SVQ’s code found them in the document, and put right what the model had quoted wrongly."
    ),
}
_BY_CODE = {
    Support.SUPPORTED: gettext_lazy("SVQ’s code finds it supported"),
    Support.FACTS_AGREE: gettext_lazy("SVQ’s code finds that the facts agree and the wording differs"),
    Support.CONTRADICTED: gettext_lazy("SVQ’s code finds it contradicted"),
    Support.NEEDS_EYE: gettext_lazy("SVQ’s code cannot say whether the quote supports it"),
}
_BY_READER = {
    "supports": gettext_lazy("{reader} finds it supported"),
    "contradicts": gettext_lazy("{reader} finds it contradicted"),
    "neither": gettext_lazy("{reader} does not find it in the quote"),
}


def words_checked(citation: Citation) -> str:
    """What became of the search for the quoted words: always by code."""
    if citation.on_page == OnPage.ABSENT:
        return _("The words: SVQ’s code found them in no document.")
    return str(_FOUND[OnPage(citation.on_page)])


def claim_checked(citation: Citation) -> str:
    """Who has compared claim and quote, and what was found; empty where there is nothing to judge."""
    if citation.support == Support.NONE:
        return ""
    if citation.confirmed_by == ConfirmedBy.READER:
        told = _("The claim: {reader} finds it supported. Code alone cannot say.")
        return told.format(reader=reader_of(citation))
    if citation.reason == DOCUMENT_DELETED:
        return _("The claim: what was found against it is gone with the document.")
    found = _BY_READER.get(citation.judge.get("verdict", "")) if citation.reader else None
    opinion = str(found).format(reader=reader_of(citation)) if found else ""
    if citation.reader and citation.reason.startswith(citation.reader):
        doubts = _("{reader} doubts it").format(reader=reader_of(citation))
        return _("The claim: {finding}.").format(finding=opinion or doubts)
    by_code = str(_BY_CODE[Support(citation.support)])
    return _("The claim: {finding}.").format(finding="; ".join(filter(None, [by_code, opinion])))


def reader_of(citation: Citation) -> str:
    """The second reader by its name, and whether it has judged what it wrote itself."""
    # The opinion is gone where the document was deleted: then the names tell.
    if citation.judge.get("writer") or (not citation.judge and citation.reader == citation.turn.model):
        return _("{model}, the model that wrote the answer,").format(model=citation.reader)
    return _("the second reader {model}").format(model=citation.reader)
