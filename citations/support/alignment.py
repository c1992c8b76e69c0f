"""Which word of the quote says each word of the claim: neighbours are preferred to scattered words."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from english.lexicon import carriers, kinds_of
from english.quantities import Quantity
from english.reading import Reading

MISSING = 6.0  # costs, chosen so that a word is left unaligned only when no word of the quote says it
BACKWARD = 2.5
SAME_PLACE = 4.0
INFLECTED, SYNONYM, KIND = 0.2, 1.0, 2.0
GAP, LONGEST_GAP = 0.1, 2.0
PATHS = 16  # alignments that are followed at a time
ROUNDED = 200  # figures among which a rounded one is sought
CANDIDATES = 12  # places that are tried for one word


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """to_quote: for places in the claim the place in the quote that says it; to_claim: the other way
    round.
    """

    claim: Reading
    quote: Reading
    to_quote: dict[int, int]
    to_claim: dict[int, int]

    @cached_property
    def order(self) -> list[int]:
        """The claim's aligned places, from its beginning on."""
        return sorted(self.to_quote)

    def told_segments(self) -> set[int]:
        """Sentences of the quote that the claim tells; one of which it has only names, for pronouns, is
        none.
        """
        tokens = [self.quote.tokens[place] for place in self.to_claim]
        told = {token.segment for token in tokens if not token.capital}
        return told or {token.segment for token in tokens}


def align(claim: Reading, quote: Reading) -> Alignment:
    """Places beside places, found in time proportional to the claim's length."""
    order = {place: number for number, place in enumerate(quote.content)}
    index = _index(quote)
    paths: dict[int, tuple[float, tuple[int, int, object] | None]] = {-1: (0.0, None)}
    for place in claim.content:
        candidates = _candidates(claim, place, quote, index)
        reached: dict[int, tuple[float, tuple[int, int, object] | None]] = {}
        for last, (cost, trail) in paths.items():
            _keep(reached, last, cost + MISSING, trail)
            for target, distance in candidates:
                here = order[target]
                _keep(reached, here, cost + distance + _step(last, here), (place, target, trail))
        paths = dict(sorted(reached.items(), key=lambda item: item[1][0])[:PATHS])
    trail = min(paths.values(), key=lambda item: item[0])[1]
    to_quote: dict[int, int] = {}
    while trail:
        place, target, trail = trail  # type: ignore[assignment]
        to_quote[place] = target
    _leave_out_repeated(claim, quote, to_quote)
    return Alignment(
        claim=claim,
        quote=quote,
        to_quote=to_quote,
        to_claim={there: here for here, there in to_quote.items()},
    )


def _leave_out_repeated(claim: Reading, quote: Reading, to_quote: dict[int, int]) -> None:
    """One word of the quote says one of the claim; but a name may come again, in place of a pronoun."""
    taken: dict[int, int] = {}
    for place in sorted(
        to_quote, key=lambda place: (claim.tokens[place].key != quote.tokens[to_quote[place]].key, place)
    ):
        there = to_quote[place]
        if there in taken and not claim.tokens[place].capital:
            del to_quote[place]
        taken.setdefault(there, place)


def _keep(
    reached: dict[int, tuple[float, tuple[int, int, object] | None]],
    last: int,
    cost: float,
    trail: tuple[int, int, object] | None,
) -> None:
    if last not in reached or cost < reached[last][0]:
        reached[last] = (cost, trail)


def _step(last: int, here: int) -> float:
    if here == last:
        return SAME_PLACE
    if here < last:
        return BACKWARD + min(GAP * (last - here), LONGEST_GAP)
    return 0.0 if last < 0 else min(GAP * (here - last - 1), LONGEST_GAP)


def _index(quote: Reading) -> dict[str, list[int]]:
    index: dict[str, list[int]] = defaultdict(list)
    for place in quote.content:
        token = quote.tokens[place]
        index[_size(token.quantity) if token.quantity else token.key].append(place)
        if token.quantity:
            index["figure"].append(place)
    return index


def _size(quantity: Quantity) -> str:
    return f"#{abs(quantity.value):.9g}"


def _candidates(
    claim: Reading, place: int, quote: Reading, index: dict[str, list[int]]
) -> list[tuple[int, float]]:
    token = claim.tokens[place]
    if token.quantity:
        rounded = place > 0 and "about" in claim.tokens[place - 1].says
        places = index["figure"][:ROUNDED] if rounded else index.get(_size(token.quantity), [])
        return _figures(token.quantity, quote, places, rounded)[:CANDIDATES]
    same = [
        (there, 0.0 if quote.tokens[there].surface.lower() == token.surface.lower() else INFLECTED)
        for there in index.get(token.key, ())[:CANDIDATES]
    ]
    if token.capital and same:
        return same
    near = [there for key in carriers(token.key) if key in index for there in index[key]]
    if not near and not token.capital:
        kinds = kinds_of(token.key)
        near_kinds = [there for key in index.keys() & kinds for there in index[key]]
        return same + [(there, KIND) for there in near_kinds[:CANDIDATES]]
    return same + [(there, SYNONYM) for there in near[:CANDIDATES]]


def _figures(claimed: Quantity, quote: Reading, places: list[int], rounded: bool) -> list[tuple[int, float]]:
    """Places of the figure; of one with the other sign, which words may say; of a more exact one if
    rounded.
    """
    near = []
    for place in places:
        quantity = quote.tokens[place].quantity
        if quantity and quantity.carries(claimed):
            near.append((place, 0.0))
        elif (quantity and quantity.negated().carries(claimed)) or (
            quantity and rounded and quantity.rounds_to(claimed)
        ):
            near.append((place, SYNONYM))
    return near
