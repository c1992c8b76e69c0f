"""Whether claim and quote run so close beside each other that one difference makes them contradict."""

from itertools import pairwise

from chat.citations.support.alignment import Alignment

ALIGNED = 2  # words of the claim that the quote has to say, unless it is itself as short
UNALIGNED = 1  # the word or figure that differs


def is_certain(alignment: Alignment) -> bool:
    """Whether the quote says all of the claim but one word, in the same order. A quote in other words or in
    another order may say the same in a way that the check does not see.
    """
    claim, quote = alignment.claim, alignment.quote
    if claim.is_table or len(alignment.to_quote) < min(ALIGNED, len(quote.content) - 1):
        return False
    if len(claim.content) - len(alignment.to_quote) > UNALIGNED:
        return False
    if quote.is_table:
        return True
    there = [alignment.to_quote[place] for place in sorted(alignment.to_quote)]
    return all(one <= other for one, other in pairwise(there))
