# ruff: noqa: E501
"""Whether the claim puts the quote's words together as the quote does: who does what to whom, which figure belongs to what."""

from itertools import pairwise

from chat.citations.support import table
from chat.citations.support.alignment import Alignment
from chat.citations.support.outcome import Difference
from chat.citations.support.statement import DATE_UNITS, Statement
from text.lexicon import root
from text.word_lists import words

_BE = words("is are was were be been being am get gets got")
_ADVERBIAL = words(
    """in on at during for as since by within until through after before under pursuant following with
    per because if unless when while although though upon throughout via despite from between among
    against to into over across out except subject notwithstanding onto above below off without toward
    towards"""
)
# Those that open a phrase of time, place, reason or condition, which may stand before or after the rest.
_MOVABLE = words(
    """in on at during for as since by within until through after before under pursuant following because
    if unless when while although though upon throughout despite except notwithstanding whether with"""
)
_DETERMINERS = words("the a an its their our his her this that these those any such each every all no own")
_LISTING = words("and or and/or nor") | {",", '"'}
_POSSESSION = words("of the a an 's its their our in for") | {"'"}
_TURNS = words("and but while whereas although though which who whose whom or")
# Prepositions that give a direction, and those that can stand for one another all the same.
_DIRECTED = words(
    "from to into onto over under above below against by before after towards toward for without off out between with at on in of as"
)
_ALIKE = [
    words(group)
    for group in (
        "to into onto towards toward", "by through via with", "under pursuant per in", "in into within to", "for to of during in",
        "over during throughout in for", "of from", "over above", "under below", "at to", "on upon to", "between among",
        "from since", "with to", "for by with of", "after following upon since",
    )
]  # fmt: skip
# Those that are not left out or put in without changing what is said.
_VERTICAL = words("over under above below out against without")
_AGENT = "by"
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


def order_differs(alignment: Alignment) -> Difference | None:
    """A reordering that may change who does what, or a change between active and passive that does."""
    places = [place for place in alignment.claim.content if place in alignment.to_quote]
    runs: list[list[int]] = []
    for place in places:
        if runs and _follows(alignment, runs[-1][-1], place):
            runs[-1].append(place)
        else:
            runs.append([place])
    if len(runs) > 1:
        if _is_turned_passive(alignment, places):
            return None
        fixed = [number for number, run in enumerate(runs) if not _is_movable(alignment, run)]
        for one, other in pairwise(fixed):
            first, second = runs[one], runs[other]
            turned = alignment.to_quote[second[0]] < alignment.to_quote[first[-1]]
            if turned and not (other == one + 1 and _is_joined(alignment, first, second)):
                return _moved(alignment, first[-1], second[0])
        if crossing := _crossing_figures(alignment, places) or _crossing_phrases(alignment, runs, fixed):
            return _moved(alignment, *crossing)
    return _voice_differs(alignment, places)


def _follows(alignment: Alignment, first: int, second: int) -> bool:
    """Whether two words of the claim stand in this order in the quote; cells of a table have none."""
    one, other = alignment.to_quote[first], alignment.to_quote[second]
    tokens = alignment.quote.tokens
    return other > one or (tokens[one].row, tokens[one].cell) != (tokens[other].row, tokens[other].cell)


def prepositions_differ(alignment: Alignment) -> Difference | None:
    """A word that stands under "from" in the claim and under "to" in the quote."""
    places = [place for place in alignment.claim.content if place in alignment.to_quote]
    if _is_turned_passive(alignment, places):
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
        ours, theirs = _preposition(alignment.claim, place), _preposition(alignment.quote, there)
        if ours != theirs and (
            (
                ours
                and theirs
                and {ours, theirs} & _DIRECTED
                and not any({ours, theirs} <= group for group in _ALIKE)
            )
            or (
                _AGENT in (ours, theirs)
                and "" in (ours, theirs)
                and not alignment.claim.tokens[place].quantity
            )
        ):
            word = alignment.claim.tokens[place].surface
            return Difference(
                text=f"The claim says “{f'{ours} {word}'.strip()}”, the quote “{f'{theirs} {word}'.strip()}”."
            )
    return None


def _positions(alignment: Alignment, place: int, there: int) -> list[tuple[str, str]]:
    """Over for under, above for below, for for against, right after a word that both texts have."""
    ours, theirs = _following(alignment.claim, place), _following(alignment.quote, there)
    if not ours or not theirs or not {ours, theirs} & _VERTICAL or ours == theirs:
        return []
    return [] if any({ours, theirs} <= group for group in _ALIKE) else [(ours, theirs)]


def _following(statement: Statement, place: int) -> str:
    """The preposition right after a word; empty if there is none."""
    token = statement.tokens[place + 1] if place + 1 < len(statement.tokens) else None
    return token.key if token is not None and token.kind == "function" and token.key in _DIRECTED else ""


def _between_differs(alignment: Alignment, first: int, second: int) -> Difference | None:
    """Another direction between two words that are neighbours in both texts."""
    quote, claim = alignment.quote, alignment.claim
    start, end = alignment.to_quote[first], alignment.to_quote[second]
    if start > end or any(quote.tokens[place].is_content for place in range(start + 1, end)):
        return None
    ours = {token.key for token in claim.tokens[first + 1 : second]} & _DIRECTED
    theirs = {token.key for token in quote.tokens[start + 1 : end]} & _DIRECTED
    if _AGENT in ours ^ theirs and not claim.tokens[second].quantity:
        said, quoted = (f"{_AGENT} " if _AGENT in side else "" for side in (ours, theirs))
        word = claim.tokens[second].surface
        return Difference(text=f"The claim says “{said}{word}”, the quote “{quoted}{word}”.")
    for one in ours - theirs:
        for other in theirs - ours or {""}:
            if not any({one, other} <= group for group in _ALIKE) and (other or one in _VERTICAL):
                return Difference(
                    text=f"The claim says “{one} {claim.tokens[second].surface}”, "
                    f"the quote “{f'{other} {claim.tokens[second].surface}'.strip()}”."
                )
    return None


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
    return None


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
            if (before in alignment.to_claim) != (after in alignment.to_claim):
                left = quote.tokens[after if before in alignment.to_claim else before]
                return Difference(text=f"The quote says “or” with “{left.surface}”, the claim leaves it out.")
    return None


def _moved(alignment: Alignment, first: int, second: int) -> Difference:
    one, other = alignment.claim.tokens[first].surface, alignment.claim.tokens[second].surface
    return Difference(text=f"The claim has “{one}” before “{other}”, the quote has them the other way round.")


def _is_movable(alignment: Alignment, run: list[int]) -> bool:
    """Whether the run is an adverb or a whole phrase or clause that may stand before or after the rest."""
    claim, quote = alignment.claim, alignment.quote
    there = [alignment.to_quote[place] for place in run]
    others = [other for other in alignment.to_claim if other not in there]
    if any(there[0] < other < there[-1] for other in others):
        return False
    if len(run) == 1 and claim.tokens[run[0]].surface.endswith("ly"):
        return True
    if not (_closes(claim, run[-1]) and _closes(quote, there[-1])):
        return False
    ours, theirs = _lead(claim, run[0]), _lead(quote, there[0])
    if ours and (ours == theirs or {ours, theirs} <= {"in", "during", "for", "on", "at", "as"}):
        return True
    is_clause = len(run) > 1 and not all(claim.tokens[place].capital for place in run)
    return is_clause and _opens(claim, run[0]) and _opens(quote, there[0])


def _lead(statement: Statement, place: int) -> str:
    """The word that opens the phrase in which a word comes first, articles passed over; empty for none of those."""
    for there in range(place - 1, max(-1, place - 5), -1):
        token = statement.tokens[there]
        if token.kind == "operator" and token.family in ("time", "condition"):
            return min(token.says)
        if token.key in _MOVABLE and token.kind == "function":
            return token.key
        if token.key not in _DETERMINERS and token.kind != "operator" and token.key != "of":
            return ""
    return ""


def _closes(statement: Statement, place: int) -> bool:
    """Whether no further content follows the word directly, so that its phrase may end there."""
    return place + 1 >= len(statement.tokens) or not statement.tokens[place + 1].is_content


def _opens(statement: Statement, place: int) -> bool:
    """Whether the word begins a clause that a comma or the text's edge sets apart."""
    for there in range(place - 1, -1, -1):
        token = statement.tokens[there]
        if token.kind == "punctuation":
            return True
        if token.key not in _DETERMINERS and token.key not in ("and", "but"):
            return False
    return True


def _is_joined(alignment: Alignment, first: list[int], second: list[int]) -> bool:
    """Whether two runs are neighbours in a list, or owner and owned: "loan repayment", "repayment of the loan"."""
    claim, quote = alignment.claim, alignment.quote
    back = alignment.to_quote[second[0]]
    tail = [place for place in first if alignment.to_quote[place] > back]
    if not tail:
        return alignment.to_quote[first[-1]] == back
    start = alignment.to_quote[tail[0]]
    ahead = [place for place in second if alignment.to_quote[place] < start]
    ours = {token.key or token.surface for token in claim.tokens[first[-1] + 1 : second[0]]}
    theirs = {token.key or token.surface for token in quote.tokens[alignment.to_quote[ahead[-1]] + 1 : start]}
    if any(claim.tokens[place].quantity for place in (*tail, *ahead)) and "of" not in theirs | ours:
        return False
    lists = (
        ours <= _LISTING | _DETERMINERS
        and theirs <= _LISTING | _DETERMINERS
        and ours & _LISTING
        and theirs & _LISTING
    )
    owned = len(ahead) == 1 and (
        (not ours and "of" in theirs and theirs <= _POSSESSION)
        or (not theirs and "of" in ours and ours <= _POSSESSION)
    )
    return bool(lists or owned)


def _crossing_figures(alignment: Alignment, places: list[int]) -> tuple[int, int] | None:
    """Two figures of one kind that stand the other way round in the quote."""
    last: dict[str, int] = {}
    for place in places:
        quantity = alignment.claim.tokens[place].quantity
        if quantity:
            before = last.get(quantity.unit)
            if before is not None and alignment.to_quote[before] > alignment.to_quote[place]:
                return before, place
            last[quantity.unit] = place
    return None


def _crossing_phrases(
    alignment: Alignment, runs: list[list[int]], fixed: list[int]
) -> tuple[int, int] | None:
    """Two movable phrases under one preposition that stand the other way round: "in" this and "in" that."""
    moved = [run for number, run in enumerate(runs) if number not in fixed]
    for first, second in pairwise(moved):
        crossed = alignment.to_quote[first[0]] > alignment.to_quote[second[0]]
        if crossed and _lead(alignment.claim, first[0]) == _lead(alignment.claim, second[0]) != "":
            return first[-1], second[0]
    return None


def _is_passive(statement: Statement, place: int) -> bool:
    """Whether the word is a participle after a form of "be"."""
    surface = statement.tokens[place].surface.lower()
    if surface.endswith("ing") or statement.tokens[place].quantity:
        return False
    for there in range(place - 1, max(-1, place - 4), -1):
        token = statement.tokens[there]
        if token.key in _BE and token.kind == "function":
            return True
        if (
            token.kind != "operator"
            and not token.surface.endswith("ly")
            and token.key not in ("been", "being", "also")
        ):
            return False
    return False


def _is_turned_passive(alignment: Alignment, places: list[int]) -> bool:
    """Whether one text is the other's passive: the parties change sides about the verb, and one stands after "by"."""
    for place in places:
        there = alignment.to_quote[place]
        passive = _is_passive(alignment.claim, place)
        if passive == _is_passive(alignment.quote, there):
            continue
        passive_text = alignment.claim if passive else alignment.quote
        pairs = [(other, alignment.to_quote[other]) for other in places if other != place]
        stay = [(a, b) for a, b in pairs if (a < place) == (b < there)]
        swap = [(a, b) for a, b in pairs if (a < place) != (b < there)]
        agents = [
            a if passive else b for a, b in swap if _preposition(passive_text, a if passive else b) == _AGENT
        ]
        movable = all(_is_movable(alignment, [a]) or alignment.claim.tokens[a].quantity for a, _ in stay)
        if agents and movable and len(swap) > 1:
            return True
    return False


def _voice_differs(alignment: Alignment, places: list[int]) -> Difference | None:
    """ "Was sued" for "sued": the subject would change sides."""
    for number, place in enumerate(places):
        there = alignment.to_quote[place]
        ours, theirs = _is_passive(alignment.claim, place), _is_passive(alignment.quote, there)
        token = alignment.claim.tokens[place]
        if ours == theirs or token.capital or not number:
            continue
        active, at = (alignment.quote, there) if ours else (alignment.claim, place)
        following = active.tokens[at + 1] if at + 1 < len(active.tokens) else None
        takes_object = following is not None and (
            following.is_content or following.kind == "operator" or following.key in _DETERMINERS
        )
        is_verb = (
            active.tokens[at].surface.lower().endswith(("ed", "s", "d", "t"))
            and not active.tokens[at].quantity
        )
        if (
            takes_object
            and is_verb
            and following is not None
            and not (following.quantity and following.quantity.unit in DATE_UNITS)
        ):
            before = alignment.claim.tokens[places[number - 1]]
            if alignment.to_quote[places[number - 1]] < there and _was_verb(active, at):
                said, quoted = (
                    _with_auxiliary(alignment.claim, place),
                    _with_auxiliary(alignment.quote, there),
                )
                return Difference(
                    text=f"The claim says “{before.surface} {said}”, the quote “{before.surface} {quoted}”."
                )
    return None


def _with_auxiliary(statement: Statement, place: int) -> str:
    """The verb with the form of "be" before it."""
    first = next(
        (there for there in range(place - 1, max(-1, place - 4), -1) if statement.tokens[there].key in _BE),
        place,
    )
    if not _is_passive(statement, place):
        first = place
    return " ".join(token.surface for token in statement.tokens[first : place + 1])


def _was_verb(statement: Statement, place: int) -> bool:
    """Whether the word before is no article or preposition, after which a noun or an adjective would stand."""
    before = statement.tokens[place - 1] if place else None
    return (
        before is not None
        and before.key not in _DETERMINERS
        and before.key not in _ADVERBIAL
        and before.key != "of"
    )


def _preposition(statement: Statement, place: int) -> str:
    """What the word stands directly under, its articles and capitalised first names passed over."""
    for there in range(place - 1, max(-1, place - 4), -1):
        token = statement.tokens[there]
        if token.kind == "function" and token.key in _ADVERBIAL:
            return token.key
        if token.key not in _DETERMINERS:
            return ""
    return ""


def _figure_differs(alignment: Alignment, place: int) -> Difference | None:
    claim, quote = alignment.claim, alignment.quote
    there = alignment.to_quote[place]
    token = claim.tokens[place]
    unit = place + 1
    if unit in alignment.to_quote and not claim.tokens[unit].quantity:
        follows = [other for other in quote.content if other > there][:3]
        if alignment.to_quote[unit] not in follows and alignment.to_quote[unit] != there - 1:
            other = quote.tokens[follows[0]].surface if follows else "nothing"
            return Difference(
                contradicts=True,
                text=f"The claim says “{token.surface} {claim.tokens[unit].surface}”, the quote “{token.surface} {other}”.",
            )
    if not token.quantity or token.quantity.unit in DATE_UNITS:
        return None
    governing = _governing(quote, there)
    earlier = [other for other in claim.content if other < place and other in alignment.to_quote]
    if earlier and governing and not any(other in alignment.to_claim for other in governing):
        return Difference(
            text=f"In the quote “{token.surface}” belongs to “{quote.tokens[governing[-1]].surface}”, which the claim does not say."
        )
    return _qualifier_differs(alignment, place)


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
    claim, quote = alignment.claim, alignment.quote
    there = alignment.to_quote[place]
    segment = quote.tokens[there].segment
    figures = [
        other
        for other in quote.content
        if quote.tokens[other].quantity and quote.tokens[other].segment == segment
    ]
    kind = claim.tokens[place].quantity
    if kind is None:
        return None
    peers = [other for other in figures if _unit(quote, other) == _unit(quote, there)]
    years = [other for other in figures if _unit(quote, other) == "year"]
    rivals = [other for other in peers if other not in alignment.to_claim]
    if not rivals:
        return None
    if any(
        token.key == "respect" or token.surface.lower() == "respectively"
        for token in quote.tokens
        if token.segment == segment
    ):
        if len(peers) == len(years):
            own: int | None = years[peers.index(there)]
        else:
            own = None
    else:
        following = [other for other in figures if other > there]
        own = next((other for other in following if other in years), None)
        following_peer = next((other for other in following if other in peers), None)
        if own is not None and following_peer is not None and following_peer < own:
            own = None
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
    if earlier and not _governing(quote, there):
        same_lead = _preposition(claim, place) == _preposition(quote, there) != ""
        after = [other for other in figures if other > there][:1]
        if not same_lead and not (
            own in alignment.to_claim if own is not None else after and after[0] in alignment.to_claim
        ):
            return Difference(
                text=f"The quote gives “{quote.tokens[earlier[-1]].surface}” before “{quote.tokens[there].surface}”; "
                "the claim does not say which of them it means."
            )
    return None


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
                    text=f"The quote says “{token.surface}” of “{quote.tokens[there].surface}”, the claim leaves it out."
                )
            return None
        if token.key not in _DETERMINERS and token.key not in ("of", "in"):
            return None
    return None


def _jump_differs(alignment: Alignment, first: int, second: int) -> Difference | None:
    """A beginning of one clause and an end of the next: "Microsoft bought Nokia" out of "Microsoft bought Nuance and
    Google sued Nokia"."""
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
    dropped = [place for place in range(start + 1, turns[-1]) if quote.tokens[place].is_content]
    heads = [
        place
        for place in range(turns[-1] + 1, end)
        if quote.tokens[place].is_content and not quote.tokens[place].surface.endswith("ly")
    ]
    if dropped and heads:
        return Difference(
            text=f"In the quote “{quote.tokens[end].surface}” belongs to “{quote.tokens[heads[0]].surface}”, which the claim leaves out."
        )
    return None
