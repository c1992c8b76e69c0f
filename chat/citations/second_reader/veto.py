"""What code finds against a claim: a second reader may not confirm it then."""

from chat.citations.support import objections

CUTS_WORD = "The quote begins or ends inside a word."


def against(claim: str, quote: str, context: str = "", at: int = 0) -> tuple[str, ...]:
    """Sentences, the weightiest first; empty where it finds nothing, which does not say that the claim is
    true. The arguments are those of `check_support`.
    """
    return tuple(each.text for each in objections(claim, quote, context, at))
