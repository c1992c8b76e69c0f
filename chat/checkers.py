"""Who has checked what of a citation, in sentences. The words and the claim are two checks."""

from chat.models import DOCUMENT_DELETED, Citation
from citations.choices import ConfirmedBy, OnPage, Support

_FOUND = {
    OnPage.EXACT: "letter for letter",
    OnPage.NORMALISED: "but for spaces, hyphens or case",
    OnPage.CORRECTED: "and put right what the model had quoted wrongly",
}
_BY_CODE = {
    Support.SUPPORTED: "SVQ’s code finds it supported",
    Support.FACTS_AGREE: "SVQ’s code finds that the facts agree and the wording differs",
    Support.CONTRADICTED: "SVQ’s code finds it contradicted",
    Support.NEEDS_EYE: "SVQ’s code cannot say whether the quote supports it",
}
_BY_READER = {
    "supports": "finds it supported",
    "contradicts": "finds it contradicted",
    "neither": "does not find it in the quote",
}


def words_checked(citation: Citation) -> str:
    """What became of the search for the quoted words: always by code."""
    if citation.on_page == OnPage.ABSENT:
        return "The words: SVQ’s code found them in no document."
    return f"The words: SVQ’s code found them in the document, {_FOUND[OnPage(citation.on_page)]}."


def claim_checked(citation: Citation) -> str:
    """Who has compared claim and quote, and what was found; empty where there is nothing to judge."""
    if citation.support == Support.NONE:
        return ""
    if citation.confirmed_by == ConfirmedBy.READER:
        return f"The claim: {reader_of(citation)} finds it supported. Code alone cannot say."
    if citation.reason == DOCUMENT_DELETED:
        return "The claim: what was found against it is gone with the document."
    opinion = _BY_READER.get(citation.judge.get("verdict", "")) if citation.reader else None
    if citation.reader and citation.reason.startswith(citation.reader):
        return f"The claim: {reader_of(citation)} {opinion or 'doubts it'}."
    by_code = _BY_CODE[Support(citation.support)]
    return f"The claim: {by_code}; {reader_of(citation)} {opinion}." if opinion else f"The claim: {by_code}."


def reader_of(citation: Citation) -> str:
    """The second reader by its name, and whether it has judged what it wrote itself."""
    # The opinion is gone where the document was deleted: then the names tell.
    if citation.judge.get("writer") or (not citation.judge and citation.reader == citation.turn.model):
        return f"{citation.reader}, the model that wrote the answer,"
    return f"the second reader {citation.reader}"
