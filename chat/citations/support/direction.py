"""Whether words stand under the same prepositions in claim and quote: from or to, over or under, by or
not by.
"""

from itertools import pairwise

from chat.citations.support.alignment import Alignment
from chat.citations.support.grammar import AGENT, are_alike, is_passive, preposition
from chat.citations.support.order import is_turned_passive
from chat.citations.support.outcome import Difference
from chat.citations.support.reordering import keeps_parts
from chat.citations.support.statement import Statement
from text.lexicon import is_past_form
from text.word_lists import words

# Prepositions that give a direction, and those that can stand for one another all the same.
_DIRECTED = words(
    "from to into onto over under above below against by before after towards toward for without "
    "off out between with at on in of as"
)


# Those that are not left out or put in without changing what is said.
_VERTICAL = words("over under above below out against without")


_PERFECT = words("has have had been")
_PRESENT, _PAST = words("is are am has have do does"), words("was were had did")
_FIRST, _SECOND, _THIRD = (
    words("we us our ours i me my"),
    words("you your yours"),
    words("they them their theirs he him his she her hers it its"),
)
_MALE, _FEMALE = words("he him his"), words("she her hers")
# What a claim says and the quote may not say instead. "We" of the quote may be "they" in a claim.
_EXCLUSIVE = [
    (_PRESENT, _PAST),
    (_PAST, _PRESENT),
    (_FIRST, _SECOND | _THIRD),
    (_SECOND, _FIRST | _THIRD),
    (_THIRD, _SECOND),
    (_MALE, _FEMALE),
    (_FEMALE, _MALE),
    (_MALE | _FEMALE, words("it its")),
    (words("it its"), _MALE | _FEMALE),
]


def prepositions_differ(alignment: Alignment) -> Difference | None:
    """A word that stands under "from" in the claim and under "to" in the quote."""
    places = [place for place in alignment.claim.content if place in alignment.to_quote]
    if is_turned_passive(alignment, places) or (_changes_voice(alignment, places) and keeps_parts(alignment)):
        return None
    for first, second in pairwise(places):
        if difference := _between_differs(alignment, first, second):
            return difference
    for place, there in alignment.to_quote.items():
        for one, other in _positions(alignment, place, there):
            word = alignment.claim.tokens[place].surface
            return Difference(
                contradicts=True, text=f"The claim says “{word} {one}”, the quote “{word} {other}”."
            )
    for place, there in alignment.to_quote.items():
        ours, theirs = preposition(alignment.claim, place), preposition(alignment.quote, there)
        if ours != theirs and (
            (ours and theirs and {ours, theirs} & _DIRECTED and not are_alike(ours, theirs))
            or (
                AGENT in (ours, theirs)
                and "" in (ours, theirs)
                and not alignment.claim.tokens[place].quantity
            )
        ):
            word = alignment.claim.tokens[place].surface
            return Difference(
                text=f"The claim says “{f'{ours} {word}'.strip()}”, the quote “{f'{theirs} {word}'.strip()}”."
            )
    return None


def _changes_voice(alignment: Alignment, places: list[int]) -> bool:
    return any(
        is_passive(alignment.claim, place) != is_passive(alignment.quote, alignment.to_quote[place])
        for place in places
    )


def _positions(alignment: Alignment, place: int, there: int) -> list[tuple[str, str]]:
    """Over for under, above for below, for for against, right after a word that both texts have."""
    ours, theirs = _following(alignment.claim, place), _following(alignment.quote, there)
    if not ours or not theirs or not {ours, theirs} & _VERTICAL or ours == theirs:
        return []
    return [] if are_alike(ours, theirs) else [(ours, theirs)]


def _following(statement: Statement, place: int) -> str:
    """The preposition right after a word; empty if there is none."""
    token = statement.tokens[place + 1] if place + 1 < len(statement.tokens) else None
    return token.key if token is not None and token.kind == "function" and token.key in _DIRECTED else ""


def _prepositions(statement: Statement, start: int, end: int) -> set[str]:
    return {token.key for token in statement.tokens[start + 1 : end] if token.kind == "function"} & _DIRECTED


def _between_differs(alignment: Alignment, first: int, second: int) -> Difference | None:
    """Another direction between two words that are neighbours in both texts."""
    quote, claim = alignment.quote, alignment.claim
    start, end = alignment.to_quote[first], alignment.to_quote[second]
    if start > end or any(quote.tokens[place].is_content for place in range(start + 1, end)):
        return None
    ours = _prepositions(claim, first, second)
    theirs = _prepositions(quote, start, end)
    if AGENT in ours ^ theirs and not claim.tokens[second].quantity:
        said, quoted = (f"{AGENT} " if AGENT in side else "" for side in (ours, theirs))
        word = claim.tokens[second].surface
        return Difference(text=f"The claim says “{said}{word}”, the quote “{quoted}{word}”.")
    if difference := _inflection_differs(alignment, first, second, start, end):
        return difference
    for one in ours - theirs:
        for other in theirs - ours or {""}:
            if not are_alike(one, other) and (other or one in _VERTICAL):
                return Difference(
                    text=f"The claim says “{one} {claim.tokens[second].surface}”, "
                    f"the quote “{f'{other} {claim.tokens[second].surface}'.strip()}”."
                )
    return None


def _inflected(statement: Statement, start: int, end: int) -> list[str]:
    """The function words between two places; "has been" tells of the past as "was" does."""
    tokens = statement.tokens
    said = [token.key for token in tokens[start + 1 : end] if token.kind == "function"]
    if "been" in said or (said and said[-1] in _PERFECT and is_past_form(tokens[end].surface)):
        said = [word for word in said if word not in _PERFECT]
    return said


def _inflection_differs(
    alignment: Alignment, first: int, second: int, start: int, end: int
) -> Difference | None:
    """Another time or another person between the two words: "was" for "is", "their" for "our"."""
    ours, theirs = _inflected(alignment.claim, first, second), _inflected(alignment.quote, start, end)
    for group, others in _EXCLUSIVE:
        mine = next((word for word in ours if word in group), None)
        other = next((word for word in theirs if word in others), None)
        if mine and other and not set(theirs) & group and not set(ours) & others:
            return Difference(text=f"The claim says “{mine}”, the quote “{other}”.")
    return None
