"""Whether claim and quote share the words that change what is said: "not", "may", "all", "at least", "if"."""

from collections.abc import Iterator

from citations.support.alignment import Alignment
from citations.support.facts import neighbours, versus
from citations.support.outcome import Difference
from citations.support.wording import is_answer
from english.operators import phrases
from english.reading import Reading, Token
from text.word_lists import words

REACH = 5  # content words over which an operator reaches forward
FAMILIES = (
    "negation",
    "may and must",
    "facts and expectations",
    "about",
    "all and some",
    "more and less",
    "before and after",
    "reasons",
    "conditions",
)
# What a claim may leave out without saying more than the quote does: nothing at all, or wording only.
_DROPPED_FREELY = {
    "may and must": words("must will"),
    "all and some": words("all any either half"),
    "more and less": words("same more less"),
    "before and after": words("last next first since"),
    "reasons": words("because despite"),
}
_DROPPED_SOFTLY = {
    "about": words("about"),
    "more and less": words("le ge highest lowest"),
    "before and after": words("before after until"),
}
# What a claim may add, as it says less by it.
_ADDED_FREELY = {"all and some": words("some"), "about": words("about"), "more and less": words("same")}
_ADDED_SOFTLY = {
    "facts and expectations": words("expect believe allege try"),
    "conditions": words("if unless only-if"),
    "may and must": words("may would"),
    "more and less": words("more less"),
    "before and after": words("since"),
    "reasons": words("because"),
}
# Families of which an answer of a few words says nothing.
_LEFT_TO_QUESTION = ("may and must", "more and less", "before and after", "about", "reasons")
# Families of which the two texts may not have different words in the same place.
_ALTERNATIVE = ("negation", "may and must", "all and some", "before and after")
_PAST = words("was were had did")
# Meanings of which one excludes the other.
_EXCLUDING = (
    ("may", "forbidden"),
    ("must", "forbidden"),
    ("le", "ge"),
    ("gt", "lt"),
    ("more", "less"),
    ("highest", "lowest"),
    ("before", "after"),
    ("because", "despite"),
)


def operators_differ(alignment: Alignment, family: str) -> Iterator[Difference]:
    """The words of one family that claim and quote do not share."""
    claim, quote = alignment.claim, alignment.quote
    ours = [place for place in claim.operators if claim.tokens[place].family == family]
    segments = alignment.told_segments()
    theirs = [
        place
        for place in quote.operators
        if quote.tokens[place].family == family and quote.tokens[place].segment in segments
    ]
    for agree in (_agree, _may_agree):
        for place in list(ours):
            there = next((other for other in theirs if agree(alignment, place, other)), None)
            if there is not None:
                ours.remove(place)
                theirs.remove(there)
    for place in ours:
        rival = _rival(alignment, place, theirs)
        excludes = rival is not None and _exclude(claim.tokens[place], quote.tokens[rival])
        if rival is not None and (excludes or family in _ALTERNATIVE):
            theirs.remove(rival)
            ours_, theirs_ = claim.tokens[place], quote.tokens[rival]
            yield versus(ours_.surface, theirs_.surface, exact=excludes)
        elif not claim.tokens[place].says & _ADDED_FREELY.get(family, frozenset()):
            yield _added(alignment, place, family)
    left = family in _LEFT_TO_QUESTION and is_answer(claim)
    for place in theirs if not left else ():
        if _bears_on_claim(alignment, place):
            yield from _dropped(alignment, place, family, both=bool(ours))


def _added(alignment: Alignment, place: int, family: str) -> Difference:
    token = alignment.claim.tokens[place]
    return versus(
        token.surface,
        "",
        soft=bool(token.says & _ADDED_SOFTLY.get(family, frozenset())),
        exact="not" in token.says
        and _is_inserted(alignment.claim, place, alignment.to_quote, alignment.quote),
    )


def _dropped(alignment: Alignment, place: int, family: str, *, both: bool) -> Iterator[Difference]:
    token = alignment.quote.tokens[place]
    is_past = any(other.key in _PAST for other in alignment.claim.tokens)
    if token.says & _DROPPED_FREELY.get(family, frozenset()) and not (is_past and "will" in token.says):
        return
    soft = bool(token.says & _DROPPED_SOFTLY.get(family, frozenset()))
    repeats = family == "conditions" and not both and "whether" not in token.says
    soft = soft or (repeats and _is_repeated(alignment, place))
    exact = family == "negation" and _is_inserted(alignment.quote, place, alignment.to_claim, alignment.claim)
    yield versus("", token.surface, soft=soft, exact=exact)


def _is_inserted(statement: Reading, place: int, aligned: dict[int, int], other: Reading) -> bool:
    """Whether the other text has the same words on either side of the operator, without it."""
    before, after = neighbours(statement, place)
    if (
        after is None
        or after not in aligned
        or any(_reverses(token) for token in statement.tokens + other.tokens)
    ):
        return False
    return before is None or aligned.get(before) == neighbours(other, aligned[after])[0]


def _reverses(token: Token) -> bool:
    return token.key == "but" or token.key.startswith(("not all", "not every"))


def _is_repeated(alignment: Alignment, place: int) -> bool:
    """Whether the claim has most words of the condition, however it is put."""
    quote, clause = alignment.quote, alignment.quote.tokens[place].clause
    under = [there for there in quote.content if there > place and quote.tokens[there].clause == clause]
    return bool(under) and 2 * sum(there in alignment.to_claim for there in under) > len(under)


def _rival(alignment: Alignment, place: int, theirs: list[int]) -> int | None:
    """The quote's word of the same family that stands in the same place."""
    here = _reached(alignment.claim, place, alignment.to_quote)
    for other in theirs:
        there = _reached(alignment.quote, other, alignment.to_claim)
        if here is not None and there is not None and alignment.to_quote.get(here) == there:
            return other
    return None


def _exclude(ours: Token, theirs: Token) -> bool:
    return any(
        (one in ours.says and other in theirs.says) or (other in ours.says and one in theirs.says)
        for one, other in _EXCLUDING
    ) and not (ours.says & theirs.says)


def _agree(alignment: Alignment, ours: int, theirs: int) -> bool:
    """Whether two operators say the same of the same word, or of words next to each other."""
    if not alignment.claim.tokens[ours].says & alignment.quote.tokens[theirs].says:
        return False
    here = _reached(alignment.claim, ours, alignment.to_quote)
    there = _reached(alignment.quote, theirs, alignment.to_claim)
    if alignment.claim.tokens[ours].family == "conditions" and not _open_same_clause(alignment, ours, theirs):
        return False
    if here is None or there is None:
        return here is there or alignment.claim.tokens[ours].family != "negation"
    first, last = sorted((here, alignment.to_claim[there]))
    return sum(first < place < last for place in alignment.claim.content) <= 1


def _open_same_clause(alignment: Alignment, ours: int, theirs: int) -> bool:
    """Whether the quote says it under its condition too: "if A, B" is not "if B, A"."""
    claim, quote = alignment.claim, alignment.quote
    clause = claim.tokens[ours].clause
    under = [
        quote.tokens[alignment.to_quote[place]].clause
        for place in alignment.order
        if place > ours and claim.tokens[place].clause == clause
    ]
    return not under or quote.tokens[theirs].clause in under


def _may_agree(alignment: Alignment, ours: int, theirs: int) -> bool:
    """The same where the claim puts in other words what the operator governs."""
    mine, other = alignment.claim.tokens[ours], alignment.quote.tokens[theirs]
    if mine.family == "conditions" and not _open_same_clause(alignment, ours, theirs):
        return False
    governed = next((place for place in alignment.claim.content if place > ours), None)
    return bool(mine.says & other.says) and governed not in alignment.to_quote


def _reached(statement: Reading, place: int, aligned: dict[int, int]) -> int | None:
    """The first aligned word that the operator governs: the next of its clause, else the one before it."""
    token = statement.tokens[place]
    passed = 0
    for there in range(place + 1, len(statement.tokens)):
        other = statement.tokens[there]
        if other.segment != token.segment or passed >= REACH:
            break
        if there in aligned and (other.clause == token.clause or not passed):
            return there
        passed += other.is_content
    for there in range(place - 1, -1, -1):
        if statement.tokens[there].clause != token.clause:
            break
        if there in aligned:
            return there
    return None


def _bears_on_claim(alignment: Alignment, place: int) -> bool:
    """Whether an operator of the quote changes what the claim takes from it."""
    quote, token = alignment.quote, alignment.quote.tokens[place]
    if token.family == "conditions":
        return True
    if token.family == "negation" and token.surface.lower() not in phrases():  # "un" of "unable"
        return place + 1 in alignment.to_claim
    after = [there for there in quote.content if there > place and quote.tokens[there].clause == token.clause]
    if token.family == "facts and expectations":
        return not after or any(there in alignment.to_claim for there in after)
    if not after:
        before = [there for there in quote.content if there < place]
        return not before or before[-1] in alignment.to_claim
    return any(there in alignment.to_claim for there in after[: REACH if token.family == "negation" else 2])
