"""Whether claim and quote put their words in the same order: who does what to whom, which figure is whose."""

from collections.abc import Iterator
from itertools import pairwise, permutations

from citations.support.alignment import Alignment
from citations.support.facts import is_actor, neighbours, versus
from citations.support.outcome import Difference
from english.closed_classes import FORMS_OF_BE
from english.lexicon import is_past_form, verb_reading
from english.reading import COUNTED_WITH, DATE_UNITS, OPENING, Reading, Token
from text.word_lists import words

WINDOW = 8  # words on either side of a change of order in which exchanged ones are sought
_JOINTS = words("and or ,")
_DIRECTED = words("to from by")
_OF = words("of for to at")
_ENDPOINTS = words("to from")
_LEADING = _DIRECTED | words("about against over under above for with of")
_PERSONS = (words("he him his"), words("she her hers"), words("i me my"), words("you your"))
_TENSES = (words("is are"), words("was were"))


def order_differs(alignment: Alignment) -> Iterator[Difference]:
    """Words that stand the other way round. Two that are exchanged around a word that both texts have between
    them say another thing: "the lessor pays the lessee"; others are a matter of wording.
    """
    active, quoted = _agent_first(alignment.claim, alignment.order), sorted(alignment.to_claim)
    rank = {there: number for number, there in enumerate(_agent_first(alignment.quote, quoted))}
    said = [rank[alignment.to_quote[place]] for place in active]
    falls = [at for at in range(1, len(said)) if said[at] < said[at - 1]]
    for at in falls:
        one, other = active[at - 1], active[at]
        if _is_exchanged(alignment, active, said, at):
            yield _exchanged(alignment, one, other, soft=False)
            return
    for at in falls:
        one, other = active[at - 1], active[at]
        is_figure = alignment.claim.tokens[one].quantity and alignment.claim.tokens[other].quantity
        listed = _are_listed(alignment, one, other) and not is_figure
        if not listed and not _is_moved(alignment, one, other):
            yield _exchanged(alignment, one, other, soft=True)
            return


def _is_exchanged(alignment: Alignment, active: list[int], said: list[int], at: int) -> bool:
    """Whether a word before the fall and one behind it changed places around one that stands between them in
    both texts: a verb, or any word between two names or two figures of one kind.
    """
    for first in range(max(0, at - WINDOW), at):
        for last in range(at, min(len(said), at + WINDOW)):
            if said[first] <= said[last] or not _are_alike(alignment, active[first], active[last]):
                continue
            between = [number for number in range(first + 1, last) if said[last] < said[number] < said[first]]
            strict = not _is_rank(alignment, active[first], active[last])
            if any(not strict or _is_same_verb(alignment, active[number]) for number in between):
                return True
            listed = not strict and any(t.key == "respectively" for t in alignment.quote.tokens)
            if listed and alignment.claim.tokens[active[first]].quantity:
                return True
            low, high = sorted((alignment.to_quote[active[first]], alignment.to_quote[active[last]]))
            if _compares(alignment.claim, active[first], active[last]) and _compares(
                alignment.quote, low, high
            ):
                return True
    return False


def _are_alike(alignment: Alignment, one: int, other: int) -> bool:
    """Whether both are figures, or neither is."""
    tokens = alignment.claim.tokens
    return (tokens[one].quantity is None) == (tokens[other].quantity is None)


def _is_rank(alignment: Alignment, one: int, other: int) -> bool:
    """Whether both are names or parties, or figures of one unit."""
    claim = alignment.claim
    first, last = claim.tokens[one].quantity, claim.tokens[other].quantity
    if first and last:
        return first.unit == last.unit
    return is_actor(claim, one) and is_actor(claim, other)


def _is_same_verb(alignment: Alignment, place: int) -> bool:
    """Whether the word is a verb, in both texts active or in both passive."""
    surface = alignment.claim.tokens[place].surface
    is_verb = verb_reading(surface) == "mostly" or is_past_form(surface)
    there = alignment.to_quote[place]
    return is_verb and _is_passive(alignment.claim, place) == _is_passive(alignment.quote, there)


def _is_passive(statement: Reading, place: int) -> bool:
    """Whether "be" stands before the verb, and nobody behind it who would have been put first."""
    follows = any(token.key in FORMS_OF_BE for token in statement.tokens[max(0, place - 3) : place])
    return follows and _agent(statement) is None


def _compares(statement: Reading, low: int, high: int) -> bool:
    """Whether a comparison stands between the two: "wider than", "lower in A than in B"."""
    return any(
        token.key == "than"
        or (token.family in ("more and less", "before and after") and len(token.surface.split()) > 1)
        for token in statement.tokens[low:high]
    )


def directions_differ(alignment: Alignment) -> Iterator[Difference]:
    """A word behind "to" in one text, and behind "from" or "by" in the other."""
    for place, there in alignment.to_quote.items():
        ours, theirs = _preposition(alignment.claim, place), _preposition(alignment.quote, there)
        if alignment.claim.tokens[place].quantity and {ours, theirs} & _ENDPOINTS:
            ours, theirs = ours or "by", theirs or "by"  # "rose 5" is "rose by 5", and not "rose to 5"
        if ours and theirs and ours != theirs:
            said = alignment.claim.tokens[place].surface
            soft = not {ours, theirs} <= _DIRECTED
            yield versus(f"{ours} {said}", f"{theirs} {said}", soft=soft)


def _preposition(statement: Reading, place: int) -> str:
    before = [token.surface.lower() for token in statement.tokens[max(0, place - 3) : place]]
    while before and before[-1] in COUNTED_WITH:
        before.pop()
    return before[-1] if before and before[-1] in _LEADING else ""


def joints_differ(alignment: Alignment) -> Iterator[Difference]:
    """ "And" between two words that the quote has "or" between, or the other way round."""
    for one, other in pairwise(alignment.order):
        low, high = sorted((alignment.to_quote[one], alignment.to_quote[other]))
        ours, theirs = _joint(alignment.claim, one, other), _joint(alignment.quote, low, high)
        if ours and theirs and ours != theirs:
            said = alignment.claim.tokens[other].surface
            yield versus(f"{ours} {said}", f"{theirs} {said}")


def _joint(statement: Reading, low: int, high: int) -> str:
    between = [
        token.key for token in statement.tokens[low + 1 : high] if token.key in ("and", "or", "and/or")
    ]
    return between[0] if len(between) == 1 else ""


def persons_differ(alignment: Alignment) -> Iterator[Difference]:
    """ "He" for "she", "I" for "you"; "is" for "was" is a matter of wording."""
    ours = {token.surface.lower() for token in alignment.claim.tokens if token.kind == "function"}
    theirs = {token.surface.lower() for token in alignment.quote.tokens if token.kind == "function"}
    for one, other in permutations(_PERSONS, 2):
        if ours & one and theirs & other and not theirs & one and not ours & other:
            yield versus(min(ours & one), min(theirs & other))
    for one, other in permutations(_TENSES):
        if ours & one and theirs & other and not theirs & one and not ours & other:
            yield versus(min(ours & one), min(theirs & other), soft=True)


def _exchanged(alignment: Alignment, one: int, other: int, *, soft: bool) -> Difference:
    first, second = alignment.claim.tokens[one].surface, alignment.claim.tokens[other].surface
    return Difference(
        text=f"The quote says “{first}” after “{second}”, the claim before it.",
        claimed=f"{first} … {second}",
        quoted=f"{second} … {first}",
        soft=soft,
    )


def _agent_first(statement: Reading, places: list[int]) -> list[int]:
    """The places in the order of an active sentence: who stands behind "by" comes before the participle."""
    by = _agent(statement)
    if by is None:
        return places
    tokens = statement.tokens
    ends = (at for at in range(by + 1, len(tokens)) if tokens[at].kind == "punctuation" or _opens(tokens[at]))
    end = next(ends, len(tokens))
    agent = [place for place in places if by < place < end]
    verb = [place for place in places if place == by - 1]
    return [*agent, *verb, *(at for at in places if at < by - 1), *(at for at in places if at >= end)]


def _agent(statement: Reading) -> int | None:
    """The place of the "by" behind a passive verb."""
    tokens = statement.tokens
    return next(
        (
            place
            for place in range(2, len(tokens))
            if tokens[place].surface.lower() == "by"
            and tokens[place - 1].is_content
            and any(token.key in FORMS_OF_BE for token in tokens[max(0, place - 4) : place])
        ),
        None,
    )


def _opens(token: Token) -> bool:
    return token.key in OPENING


def _are_listed(alignment: Alignment, one: int, other: int) -> bool:
    """Whether the two are members of one list in both texts: "sales and costs", "costs and sales"; or of one
    name: "Henrik's successor", "the successor to Henrik".
    """
    there = sorted((alignment.to_quote[one], alignment.to_quote[other]))
    if _is_list(alignment.claim, one, other) and _is_list(alignment.quote, *there):
        return True
    ours, theirs = alignment.claim.tokens[one + 1 : other], alignment.quote.tokens[there[0] + 1 : there[1]]
    return {_is_genitive(ours), _is_genitive(theirs)} == {True, False} and not (ours and theirs)


def _is_genitive(between: list[Token]) -> bool:
    """Whether the words between two nouns make one a part of the other: "the successor to Henrik"."""
    return any(token.key in _OF for token in between) and all(
        token.key in _OF or token.key in COUNTED_WITH for token in between
    )


def _is_list(statement: Reading, one: int, other: int) -> bool:
    between = statement.tokens[one + 1 : other]
    joins = [token for token in between if token.key in _JOINTS or token.surface == ","]
    plain = [token for token in between if token in joins or token.is_content or token.key in COUNTED_WITH]
    return bool(joins) and len(plain) == len(between) and len(between) <= 6


def _is_moved(alignment: Alignment, one: int, other: int) -> bool:
    """Whether one of the two is a date, or opens a phrase of its own in both texts: "during the term"."""
    return any(
        _unit(alignment.claim, place) in DATE_UNITS
        or (
            _is_under_preposition(alignment.claim, place)
            and _is_under_preposition(alignment.quote, alignment.to_quote[place])
        )
        for place in (one, other)
    )


def _is_under_preposition(statement: Reading, place: int) -> bool:
    for there in range(place - 1, max(-1, place - 5), -1):
        token = statement.tokens[there]
        if token.key in OPENING or token.family in ("before and after", "conditions", "reasons"):
            return token.key not in ("by", "to", "from")
        if token.kind == "punctuation" or (not token.is_content and token.key not in COUNTED_WITH):
            return False
    return False


def pairs_differ(alignment: Alignment) -> Iterator[Difference]:
    """A figure that goes with another date than in the quote, where the quote has several of both.

    As many figures as dates go together in the order in which they stand, whether each stands beside its own
    ("5 in 2021 and 4 in 2020") or behind all others ("5 and 4 in 2021 and 2020, respectively").
    """
    quote, claim = alignment.quote, alignment.claim
    yield from _moved_from_its_verb(alignment)
    for unit in ("year", "day"):
        dates = [place for place in quote.content if _unit(quote, place) == unit]
        said = [token.quantity for token in claim.tokens if token.quantity and token.quantity.unit == unit]
        if len(dates) < 2 or not said:
            continue
        for figure in sorted(alignment.to_claim):
            kind = _unit(quote, figure)
            figures = [place for place in quote.content if _unit(quote, place) == kind]
            if not kind or kind in DATE_UNITS or len(figures) != len(dates):
                continue
            date = quote.tokens[dates[figures.index(figure)]]
            if date.quantity not in said:
                yield Difference(
                    text=f"In the quote “{quote.tokens[figure].surface}” goes with “{date.surface}”.",
                    claimed=quote.tokens[figure].surface,
                    quoted=date.surface,
                )
                return


def _moved_from_its_verb(alignment: Alignment) -> Iterator[Difference]:
    """ "Died in 1724" for "born in 1724 and died in 1804"."""
    for place, there in alignment.to_quote.items():
        if not alignment.claim.tokens[place].quantity:
            continue
        own, other = neighbours(alignment.claim, place)[0], neighbours(alignment.quote, there)[0]
        if own is None or other is None or own not in alignment.to_quote or other in alignment.to_claim:
            continue
        if alignment.to_quote[own] > there and is_past_form(alignment.quote.tokens[other].surface):
            yield versus(alignment.claim.tokens[own].surface, alignment.quote.tokens[other].surface)


def _unit(statement: Reading, place: int) -> str:
    quantity = statement.tokens[place].quantity
    return quantity.unit if quantity else ""
