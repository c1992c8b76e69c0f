"""What code finds against a claim: a second reader may not confirm it then."""

from chat.citations.support import check_support

CUTS_WORD = "The quote begins or ends inside a word."
# Comparisons of hard facts. What differs in them is no matter of wording.
HARD = frozenset(
    {
        *("figures and dates", "negation", "may and must", "facts and expectations", "about"),
        *("all and some", "more and less", "before and after", "conditions", "rest of the sentence"),
    }
)


def against(claim: str, quote: str, context: str = "", at: int = 0) -> tuple[str, ...]:
    """Sentences, the weightiest first; empty where it finds nothing, which does not say that the claim is
    true. The arguments are those of `check_support`.
    """
    check = check_support(claim, quote, context, at)
    return tuple(one.detail for one in check.checks if one.name in HARD and not one.passed)
