"""Does a quote support the claim before it? A check by code: figures and meaning, no language model."""

import re

from chat.citations.support.outcome import Check, SupportCheck
from chat.citations.support.surroundings import rest_of_sentence
from providers.protocols import Embedder

# Claim and quote say the same thing in other words: measured on pairs of sentences, unrelated ones of the
# same document seldom reach it.
SUPPORT_COSINE = 0.45
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
REFERENCE = re.compile(r"\b(?:clause|section|article|schedule|page|no\.?|amendment)\s+[\d.]+", re.IGNORECASE)
EMPHASIS = re.compile(r"[*_`>#]+|^\s*[-+]\s+", re.MULTILINE)


def check_support(
    claim: str, quote: str, context: str = "", embedder: Embedder | None = None
) -> SupportCheck:
    """Whether the quote carries the claim. context: the text that the quote was taken from."""
    reason = unsupported(claim, quote, embedder)
    before, after = rest_of_sentence(quote, context)
    return SupportCheck(
        support="needs_your_eye" if reason else "supported",
        reason=reason,
        checks=(Check(name="figures and meaning", passed=not reason, detail=reason),),
        before=before,
        after=after,
    )


def unsupported(claim: str, quote: str, embedder: Embedder | None) -> str:
    """Why the quote does not carry the claim; empty when it does.

    Every figure of the claim must stand in the quote (references to clauses and the like excepted), and the
    two must be near in meaning.
    """
    plain = " ".join(EMPHASIS.sub(" ", claim).split())
    if not plain:
        return "There is no claim before this quote."
    if _folded(plain).rstrip(".") in _folded(quote):
        return ""
    missing = _numbers(REFERENCE.sub(" ", plain)) - _numbers(quote)
    if missing:
        return f"The quote does not say {', '.join(sorted(missing))}."
    if embedder is None:
        return ""
    claimed, quoted = embedder.embed([plain, quote])
    if float(claimed @ quoted) < SUPPORT_COSINE:
        return "The quote is about something else than the claim."
    return ""


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _numbers(text: str) -> set[str]:
    """Figures without thousands separators, so that 180,000 and 180000 are one."""
    return {number.replace(",", "").rstrip(".") for number in NUMBER.findall(text)}
