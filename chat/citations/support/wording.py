"""Whether the quote says every word and figure of the claim, and with the same words that change their
meaning.
"""

from chat.citations.support.alignment import Alignment
from chat.citations.support.outcome import Difference
from chat.citations.support.statement import DATE_UNITS, Statement, Token
from text.lexicon import are_opposites, root
from text.quantities import DAY_OR_MONTH, Quantity
from text.word_lists import words

REACH = 5  # content words over which an operator reaches forward
GOVERNED = 2  # content words that other operators change
COMPARED = 20  # words of the claim that the quote does not say, for which an opposite is sought
NEAR = 6  # places on either side in which the quote's opposite word is sought
# Verbs that only carry a figure or a report; a claim may add them.
_LIGHT = words(
    """totaled totalled totaling totalling amounted amounts amounting reported stood equaled reached located
    situated called named known takes took taken place held being existing"""
)
_FIRST_PERSON = words("we our us ours")
_MALE, _FEMALE = words("he him his himself"), words("she her hers herself")
_NEGATIVE = frozenset(
    root(word)
    for word in [
        "loss",
        "losses",
        "deficit",
        "decrease",
        "decline",
        "fall",
        "drop",
        "reduce",
        "lower",
        "negative",
        "minus",
        "outflow",
        "used",
        "expense",
        "cost",
        "shrink",
        "down",
        "shortfall",
        "lose",
        "cut",
        "less",
    ]
)
_POSITIVE = frozenset(
    root(word) for word in ["income", "gain", "profit", "earnings", "benefit", "increase", "proceeds"]
)
_MONEY, _RATES = frozenset("$€£¥₹¢") | {"chf", "cny"}, frozenset({"%", "pp", "bp"})
# Families whose words contradict each other. Of two words that deny, each may be right.
_DECISIVE = ("modality", "comparison", "time", "reason")
# Families that belong to one word, which may not be its neighbour.
_STRICT = ("comparison", "estimate", "quantifier", "time")
# What a claim may leave out without saying more than the quote does.
_DROPPABLE = words("all any both even too same")
# What a claim may put in, as it says less: "dogs" are "some dogs".
_WEAK = words("some someone somebody something")


def words_differ(alignment: Alignment, context: Statement) -> Difference | None:
    """The first word of the claim that the quote does not say."""
    unsaid = _words_unsaid(alignment, context)
    for place in unsaid[:COMPARED]:
        token = alignment.claim.tokens[place]
        for other in _unsaid_nearby(alignment, place):
            if not other.quantity and are_opposites(token.key, other.key):
                return Difference(contradicts=True, text=_versus(token.surface, other.surface))
    if unsaid:
        return Difference(text=f"The quote does not say “{alignment.claim.tokens[unsaid[0]].surface}”.")
    return _gender_differs(alignment)


def _words_unsaid(alignment: Alignment, context: Statement) -> list[int]:
    """Places of the claim's words, figures apart, that the quote does not say."""
    tokens = alignment.claim.tokens
    return [
        place
        for place in alignment.claim.content
        if place not in alignment.to_quote
        and not tokens[place].quantity
        and not _is_implied(tokens[place], alignment, context)
    ]


def figures_differ(alignment: Alignment) -> Difference | None:
    """The first figure or date of the claim that the quote does not say, or says with the other sign."""
    for place in alignment.claim.content:
        token = alignment.claim.tokens[place]
        claimed = token.quantity
        if not claimed:
            continue
        if place not in alignment.to_quote:
            rivals = [other for other in _unsaid_nearby(alignment, place) if _measures_same(other, claimed)]
            for date in (token, *rivals):
                if date.quantity and date.quantity.unit == DAY_OR_MONTH:
                    return Difference(text=f"“{date.surface}” may have the day or the month first.")
            if rivals:
                alone = len(rivals) == 1  # several may make up the claim's figure: 4 awards and 3 are 7
                return Difference(contradicts=alone, text=_versus(token.surface, rivals[0].surface))
            return Difference(text=f"The quote does not say “{token.surface}”.")
        there = alignment.quote.tokens[alignment.to_quote[place]]
        if (
            there.quantity
            and there.quantity.value * claimed.value < 0
            and not _says_negative(alignment.claim)
        ):
            return Difference(contradicts=True, text=_versus(token.surface, there.surface))
    return None


def _measures_same(token: Token, claimed: Quantity) -> bool:
    """Whether the token is of the claimed figure's kind: a date, money, a rate or a count."""
    kinds = (DATE_UNITS, _MONEY, _RATES)
    return token.quantity is not None and all(
        (token.quantity.unit in kind) == (claimed.unit in kind) for kind in kinds
    )


def operators_differ(alignment: Alignment, family: str) -> Difference | None:
    """The first word of a family, such as negation, that claim and quote do not share."""
    ours = [place for place in alignment.claim.operators if alignment.claim.tokens[place].family == family]
    theirs = [place for place in alignment.quote.operators if alignment.quote.tokens[place].family == family]
    unmatched = []
    for place in ours:
        there = next((other for other in theirs if _agree(alignment, place, other)), None)
        if there is None:
            is_weaker = alignment.claim.tokens[place].key in _WEAK and not theirs
            unmatched += [] if is_weaker or _is_rounding(alignment, place) else [place]
        elif family != "condition":
            theirs.remove(there)
    if family == "negation":
        unmatched, theirs = _without_neither(alignment, ours, unmatched, theirs)
    bearing = [place for place in theirs if _bears_on_claim(alignment, place)]
    if family == "condition":
        bearing = _unshared(alignment, bearing, ours)
    if unmatched:
        token = alignment.claim.tokens[unmatched[0]]
        other = bearing or [place for place in theirs if _near(alignment, unmatched[0], place)]
        if other:
            quoted = alignment.quote.tokens[other[0]]
            return Difference(contradicts=family in _DECISIVE, text=_versus(token.surface, quoted.surface))
        return Difference(
            contradicts=family == "negation", text=f"The claim says “{token.surface}”, the quote does not."
        )
    for place in bearing:
        token = alignment.quote.tokens[place]
        if not token.says & _DROPPABLE and not _is_presupposed(alignment, place):
            governed = next((there for there in alignment.quote.content if there > place), None)
            return Difference(
                contradicts=family == "negation" and governed in alignment.to_claim,
                text=f"The quote says “{token.surface}”, the claim leaves it out.",
            )
    return None


def _without_neither(
    alignment: Alignment, ours: list[int], unmatched: list[int], theirs: list[int]
) -> tuple[list[int], list[int]]:
    """Without the words that deny each side of a list, if the claim denies one: "neither A nor B is"."""
    pairs = [place for place in theirs if alignment.quote.tokens[place].key in ("neither", "nor")]
    contrasts = any(token.key in ("but", "and") for token in alignment.claim.tokens)
    if len(ours) != 1 or not pairs or contrasts:
        return unmatched, theirs
    rest = [place for place in theirs if place not in pairs]
    return (unmatched if rest else []), rest


def _is_presupposed(alignment: Alignment, place: int) -> bool:
    """What the claim may leave out with its clause: "after moving to Leeds" says that one moved. "Only A did"
    says that A did, if it is a fact and no duty. An answer in one figure leaves its bound to the question.
    """
    quote, token = alignment.quote, alignment.quote.tokens[place]
    if "after" in token.says:
        return all(
            there > place and quote.tokens[there].clause == token.clause
            for there in alignment.to_claim
            if quote.tokens[there].segment == token.segment and not quote.tokens[there].capital
        )
    if "only" in token.says:
        behind = [
            there for there in quote.content if there > place and quote.tokens[there].clause == token.clause
        ]
        is_told = not behind or behind[0] in alignment.to_claim
        return is_told and all(other.kind != "operator" or other is token for other in quote.tokens)
    claim = alignment.claim
    return token.family == "comparison" and len(claim.tokens) <= 2 and any(t.quantity for t in claim.tokens)


def _versus(claimed: str, quoted: str) -> str:
    if claimed.lower() == quoted.lower():
        return f"The quote says “{quoted}” of something else."
    return f"The claim says “{claimed}”, the quote “{quoted}”."


def _is_implied(token: Token, alignment: Alignment, context: Statement) -> bool:
    """A light verb; or the name of those who call themselves "we" in the quote, if the text around has it."""
    if token.surface.lower() in _LIGHT or _is_acronym(token, alignment.quote):
        return True
    speaks = any(word.key in _FIRST_PERSON for word in alignment.quote.tokens if word.kind == "function")
    if not speaks:
        return False
    company = token.key == root("company")
    return company or (
        token.capital and any(token.key == word.key and word.capital for word in context.tokens)
    )


def _is_acronym(token: Token, quote: Statement) -> bool:
    """Whether the word is made of the first letters of a name in the quote."""
    if not token.surface.isupper() or len(token.surface) < 2:
        return False
    initials = "".join(
        quote.tokens[place].surface[0] if quote.tokens[place].capital else " " for place in quote.content
    )
    return token.surface in initials.split()


def _unsaid_nearby(alignment: Alignment, place: int) -> list[Token]:
    """Words of the quote that the claim does not say, around where the claim's word would stand; nearest
    first.
    """
    aligned = sorted(alignment.to_quote, key=lambda other: abs(other - place))
    if not aligned:
        return []
    anchor = alignment.to_quote[aligned[0]] + (1 if aligned[0] < place else -1)
    free = [there for there in alignment.quote.content if there not in alignment.to_claim]
    return [
        alignment.quote.tokens[there]
        for there in sorted(free, key=lambda there: abs(there - anchor))
        if abs(there - anchor) <= NEAR
    ]


def _gender_differs(alignment: Alignment) -> Difference | None:
    ours = {token.key for token in alignment.claim.tokens if token.kind == "function"}
    theirs = {token.key for token in alignment.quote.tokens if token.kind == "function"}
    for mine, other in ((_MALE, _FEMALE), (_FEMALE, _MALE)):
        if ours & mine and not theirs & mine and theirs & other:
            return Difference(contradicts=True, text=_versus(min(ours & mine), min(theirs & other)))
    return None


def _says_negative(claim: Statement) -> bool:
    """In words that leave no doubt, unlike "income (loss)"."""
    if any(token.key in _POSITIVE for token in claim.tokens):
        return False
    depth = 0
    for token in claim.tokens:
        depth += (token.surface in {"(", "["}) - (token.surface in {")", "]"})
        if not depth and token.key in _NEGATIVE:
            return True
    return False


def _is_rounding(alignment: Alignment, place: int) -> bool:
    """ "About" before a figure that the quote gives more exactly, or as it is."""
    token = alignment.claim.tokens[place]
    return "about" in token.says and place + 1 in alignment.to_quote


def _reached(statement: Statement, place: int, aligned: dict[int, int]) -> int | None:
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


def _agree(alignment: Alignment, ours: int, theirs: int) -> bool:
    """Whether two operators say the same of the same word, or of neighbours with none of their kind
    between.
    """
    mine, other = alignment.claim.tokens[ours], alignment.quote.tokens[theirs]
    may_be = mine.key == "can" and other.key == "may"
    if not mine.says & other.says and not may_be:
        return False
    if mine.family == "condition" and not _open_same_clause(alignment, ours, theirs):
        return False
    return _near(alignment, ours, theirs) or (mine.key == other.key and _follow_same(alignment, ours, theirs))


def _open_same_clause(alignment: Alignment, ours: int, theirs: int) -> bool:
    """Whether the quote says it under its condition too: "if A, B" is not "if B, A"."""
    clause = alignment.claim.tokens[ours].clause
    under = [
        alignment.quote.tokens[alignment.to_quote[place]].clause
        for place in alignment.claim.content
        if place > ours and place in alignment.to_quote and alignment.claim.tokens[place].clause == clause
    ]
    return not under or alignment.quote.tokens[theirs].clause in under


def _follow_same(alignment: Alignment, ours: int, theirs: int) -> bool:
    """Whether the same word of both texts stands right before the two operators."""
    here = next((place for place in reversed(alignment.claim.content) if place < ours), None)
    there = next((place for place in reversed(alignment.quote.content) if place < theirs), None)
    return here is not None and alignment.to_quote.get(here) == there


def _near(alignment: Alignment, ours: int, theirs: int) -> bool:
    here = _reached(alignment.claim, ours, alignment.to_quote)
    there = _reached(alignment.quote, theirs, alignment.to_claim)
    if here is None or there is None:
        return here is there and alignment.claim.tokens[ours].key == alignment.quote.tokens[theirs].key
    back = alignment.to_claim[there]
    if here == back:
        return True
    if alignment.claim.tokens[ours].family in _STRICT:
        return False
    first, last = sorted((here, back))
    between = [place for place in alignment.claim.content if first < place < last]
    family = alignment.claim.tokens[ours].family
    rivals = [token for token in alignment.claim.tokens[first:last] if token.family == family]
    return len(between) <= 1 and not rivals


def _unshared(alignment: Alignment, theirs: list[int], ours: list[int]) -> list[int]:
    """Conditions of the quote for which the claim has none; where they belong is checked from the claim."""
    left, free = [], list(ours)
    for place in theirs:
        says = alignment.quote.tokens[place].says
        same = next((other for other in free if alignment.claim.tokens[other].says & says), None)
        if same is None:
            left.append(place)
        else:
            free.remove(same)
    return left


def _bears_on_claim(alignment: Alignment, place: int) -> bool:
    """Whether an operator of the quote changes what the claim takes from it."""
    quote, token = alignment.quote, alignment.quote.tokens[place]
    if token.segment not in alignment.told_segments():
        return False
    if token.family == "condition":
        return True
    after = [there for there in quote.content if there > place and quote.tokens[there].clause == token.clause]
    if token.family == "attitude":
        opens = token.key.startswith("according") and token.segment == quote.tokens[0].segment
        return not after or opens or any(there in alignment.to_claim for there in after)
    if not after:
        before = [there for there in quote.content if there < place]
        return not before or before[-1] in alignment.to_claim
    reach = REACH if token.family == "negation" else GOVERNED
    return any(there in alignment.to_claim for there in after[:reach])
