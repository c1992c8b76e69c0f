"""Whether figures and ends of clauses belong to the same words in claim and quote, and lists are joined
alike.
"""

from collections.abc import Sequence
from itertools import pairwise

from chat.citations.support import table
from chat.citations.support.alignment import Alignment
from chat.citations.support.grammar import BE, DETERMINERS, preposition
from chat.citations.support.outcome import Difference
from chat.citations.support.statement import DATE_UNITS, Statement
from text.lexicon import root
from text.word_lists import words

_TURNS = words("and but while whereas although though which who whose whom or")

_DISTRIBUTING = words("not may can")
_MARGINS = words("above below plus minus")
_COMPARED = words("compared versus unlike against")
_RELATIVES = words("which who whose whom")


_HEADS = frozenset(
    root(word)
    for word in [
        "increase",
        "decrease",
        "change",
        "reduction",
        "growth",
        "decline",
        "rise",
        "fall",
        "drop",
        "lack",
        "absence",
        "portion",
        "part",
        "percentage",
        "rate",
        "share",
        "risk",
        "threat",
        "possibility",
        "likelihood",
        "denial",
        "termination",
        "cancellation",
        "expiration",
        "loss",
        "gain",
        "sale",
        "purchase",
    ]
)


def attachment_differs(alignment: Alignment) -> Difference | None:
    """A figure that belongs to something else in the quote, or words of two clauses put together as one."""
    places = [place for place in alignment.claim.content if place in alignment.to_quote]
    if alignment.quote.is_table:
        return table.cell_differs(alignment)
    for place in places:
        token = alignment.claim.tokens[place]
        if token.quantity and (difference := _figure_differs(alignment, place)):
            return difference
        if difference := _head_is_dropped(alignment, place):
            return difference
    for first, second in pairwise(places):
        if difference := _jump_differs(alignment, first, second):
            return difference
    return _pairing_is_dropped(alignment)


def _pairing_is_dropped(alignment: Alignment) -> Difference | None:
    """Names out of "A and B bought C and D, respectively", without the word that pairs them."""
    says = [token.segment for token in alignment.quote.tokens if token.surface.lower() == "respectively"]
    if not alignment.told_segments().intersection(says):
        return None
    if any(token.surface.lower() == "respectively" for token in alignment.claim.tokens):
        return None
    if any(token.quantity for token in alignment.claim.tokens) and _pairs_dates(alignment, says):
        return None  # figures are held against their own dates
    return Difference(text="The quote says “respectively”, the claim leaves it out.")


def _pairs_dates(alignment: Alignment, segments: list[int]) -> bool:
    """Whether the quote pairs its figures with as many dates."""
    told = [
        token.quantity for token in alignment.quote.tokens if token.segment in segments and token.quantity
    ]
    years = sum(quantity.unit == "year" for quantity in told)
    return years > 1 and years == sum(quantity.unit not in DATE_UNITS for quantity in told)


def coordination_differs(alignment: Alignment) -> Difference | None:
    """ "And" for "or", or one side of an "or" alone."""
    quote, claim = alignment.quote, alignment.claim
    for first, second in pairwise([place for place in claim.content if place in alignment.to_quote]):
        ours = {token.key for token in claim.tokens[first + 1 : second]} & {"and", "or"}
        low, high = sorted((alignment.to_quote[first], alignment.to_quote[second]))
        theirs = {token.key for token in quote.tokens[low + 1 : high]} & {"and", "or"}
        if len(ours) == 1 and len(theirs) == 1 and ours != theirs:
            return Difference(
                contradicts=True, text=f"The claim says “{ours.pop()}”, the quote “{theirs.pop()}”."
            )
    for place, token in enumerate(quote.tokens):
        if token.key == "or" and token.kind == "function":
            before = next((there for there in reversed(quote.content) if there < place), None)
            after = next((there for there in quote.content if there > place), None)
            if before is None or after is None or quote.tokens[place - 1].surface == ",":
                continue
            if not quote.tokens[before].segment == token.segment == quote.tokens[after].segment:
                continue
            if _is_distributed(quote, place):
                continue
            if (before in alignment.to_claim) != (after in alignment.to_claim):
                left = quote.tokens[after if before in alignment.to_claim else before]
                return Difference(text=f"The quote says “or” with “{left.surface}”, the claim leaves it out.")
    return None


def _is_distributed(quote: Statement, place: int) -> bool:
    """Whether each side of the "or" holds alone: under "not", and of what may or can be."""
    return any(
        token.segment == quote.tokens[place].segment and token.says & _DISTRIBUTING
        for token in quote.tokens[:place]
    )


def _figure_differs(alignment: Alignment, place: int) -> Difference | None:
    claim, quote = alignment.claim, alignment.quote
    there = alignment.to_quote[place]
    token = claim.tokens[place]
    unit = place + 1
    is_date = token.quantity is not None and token.quantity.unit in DATE_UNITS
    if unit in alignment.to_quote and not claim.tokens[unit].quantity and not is_date:
        follows = [other for other in quote.content if other > there][:3]
        if alignment.to_quote[unit] not in follows and alignment.to_quote[unit] != there - 1:
            other = quote.tokens[follows[0]].surface if follows else "nothing"
            return Difference(
                text=f"The claim says “{token.surface} {claim.tokens[unit].surface}”, the quote "
                f"“{token.surface} {other}”.",
            )
    if is_date:
        return None
    ours, theirs = preposition(claim, place), preposition(quote, there)
    if (ours == "to" != theirs) or (ours == "by" and theirs == "to"):
        return Difference(
            text=f"The claim says “{ours} {token.surface}”, "
            f"the quote “{f'{theirs} {token.surface}'.strip()}”."
        )
    if difference := _margin_is_dropped(alignment, there):
        return difference
    governing = _governing(quote, there)
    earlier = [other for other in claim.content if other < place and other in alignment.to_quote]
    if earlier and governing and not any(other in alignment.to_claim for other in governing):
        return Difference(
            text=f"In the quote “{token.surface}” belongs to "
            f"“{quote.tokens[governing[-1]].surface}”, which the claim does not say."
        )
    return _qualifier_differs(alignment, place)


def _margin_is_dropped(alignment: Alignment, there: int) -> Difference | None:
    """ "4%" out of "4% above the base rate"."""
    quote = alignment.quote
    sign = quote.tokens[there + 1] if there + 1 < len(quote.tokens) else None
    base = next((place for place in quote.content if place > there), None)
    if sign is None or base is None or sign.key not in _MARGINS or base in alignment.to_claim:
        return None
    said = f"{quote.tokens[there].surface} {sign.surface} {quote.tokens[base].surface}"
    return Difference(text=f"The quote says “{said}”, the claim only “{quote.tokens[there].surface}”.")


def _governing(quote: Statement, there: int) -> list[int]:
    """Content words from the last figure, comma or conjunction up to this figure."""
    governing: list[int] = []
    for place in range(there - 1, -1, -1):
        token = quote.tokens[place]
        if token.quantity or token.kind == "punctuation" or token.key in _TURNS:
            break
        if token.is_content and not token.surface.endswith("ly"):
            governing.insert(0, place)
    return governing


def _qualifier_differs(alignment: Alignment, place: int) -> Difference | None:
    """A figure of a list must keep the date that stands with it: "$5 in 2021 and $4 in 2020"."""
    quote = alignment.quote
    there = alignment.to_quote[place]
    segment = quote.tokens[there].segment
    figures = [
        other
        for other in quote.content
        if quote.tokens[other].quantity and quote.tokens[other].segment == segment
    ]
    peers = [other for other in figures if _unit(quote, other) == _unit(quote, there)]
    years = [other for other in figures if _unit(quote, other) == "year"]
    rivals = [other for other in peers if other not in alignment.to_claim]
    if alignment.claim.tokens[place].quantity is None or not rivals:
        return None
    own = _own_year(quote, there, peers, years)
    if (
        own is not None
        and own not in alignment.to_claim
        and any(other in alignment.to_claim for other in years)
    ):
        return Difference(
            contradicts=True,
            text=f"In the quote “{quote.tokens[there].surface}” goes with “{quote.tokens[own].surface}”.",
        )
    earlier = [other for other in rivals if other < there]
    if not earlier or _governing(quote, there) or _keeps_lead(alignment, place):
        return None
    kept = [own] if own is not None else [other for other in figures if other > there][:1]
    if kept and kept[0] in alignment.to_claim:
        return None
    return Difference(
        text=f"The quote gives “{quote.tokens[earlier[-1]].surface}” before "
        f"“{quote.tokens[there].surface}”; "
        "the claim does not say which of them it means."
    )


def _own_year(quote: Statement, there: int, peers: Sequence[int], years: Sequence[int]) -> int | None:
    """The year of a figure: the one behind it, before the next figure of its kind, or, of a list that is
    "respectively" of others, the one at its place.
    """
    segment = quote.tokens[there].segment
    if any(
        token.key == "respect" or token.surface.lower() == "respectively"
        for token in quote.tokens
        if token.segment == segment
    ):
        return years[peers.index(there)] if len(peers) == len(years) else None
    own = next((other for other in years if other > there), None)
    following = next((other for other in peers if other > there), None)
    return None if own is not None and following is not None and following < own else own


def _keeps_lead(alignment: Alignment, place: int) -> bool:
    """Whether a figure stands under the same preposition in both texts."""
    ours = preposition(alignment.claim, place)
    return ours == preposition(alignment.quote, alignment.to_quote[place]) != ""


def _unit(statement: Statement, place: int) -> str:
    quantity = statement.tokens[place].quantity
    return quantity.unit if quantity else "none"


def _head_is_dropped(alignment: Alignment, place: int) -> Difference | None:
    """ "Costs of $5" out of "a decrease in costs of $5"."""
    quote = alignment.quote
    there = alignment.to_quote[place]
    for other in range(there - 1, max(-1, there - 4), -1):
        token = quote.tokens[other]
        if token.kind == "word":
            linked = any(between.key in ("of", "in") for between in quote.tokens[other + 1 : there])
            if linked and token.key in _HEADS and other not in alignment.to_claim:
                return Difference(
                    text=f"The quote says “{token.surface}” of “{quote.tokens[there].surface}”, the "
                    f"claim leaves it out."
                )
            return None
        if token.key not in DETERMINERS and token.key not in ("of", "in"):
            return None
    return None


def _jump_differs(alignment: Alignment, first: int, second: int) -> Difference | None:
    """A beginning of one clause and an end of the next: "Microsoft bought Nokia" out of "Microsoft
    bought Nuance and Google sued Nokia"."""
    quote = alignment.quote
    start, end = alignment.to_quote[first], alignment.to_quote[second]
    turns = [
        place
        for place in range(start + 1, end)
        if quote.tokens[place].kind == "punctuation"
        or (quote.tokens[place].key in _TURNS and quote.tokens[place].kind == "function")
    ]
    if not turns or any(token.kind == "punctuation" for token in alignment.claim.tokens[first + 1 : second]):
        return None
    if _goes_on(quote, turns[-1]):
        return None
    dropped = [place for place in range(start + 1, turns[-1]) if quote.tokens[place].is_content]
    heads = [
        place
        for place in range(turns[-1] + 1, end)
        if quote.tokens[place].is_content and not quote.tokens[place].surface.endswith("ly")
    ]
    compares = quote.tokens[turns[-1] + 1].key in _COMPARED
    if heads and (dropped or compares):
        return Difference(
            text=f"In the quote “{quote.tokens[end].surface}” belongs to "
            f"“{quote.tokens[heads[0]].surface}”, which the claim leaves out."
        )
    return None


def _goes_on(quote: Statement, turn: int) -> bool:
    """Whether a verb right behind goes on with the same subject: "Leeds, a city in England, is ..."."""
    if quote.tokens[turn].key in _RELATIVES:
        return False
    following = quote.tokens[turn + 1 : turn + 2]
    return any(token.key in BE or token.family == "modality" for token in following)
