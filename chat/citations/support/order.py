"""Whether the claim keeps the order of the quote, which says who does what to whom, or changes it
harmlessly.
"""

from itertools import pairwise

from chat.citations.support.alignment import Alignment
from chat.citations.support.grammar import (
    AGENT,
    BE,
    DETERMINERS,
    PREPOSITIONS,
    closes_phrase,
    is_passive,
    opening_word,
    opens_clause,
    preposition,
)
from chat.citations.support.outcome import Difference
from chat.citations.support.reordering import keeps_parts
from chat.citations.support.statement import DATE_UNITS, Statement
from text.word_lists import words

_OBJECTS = words("it them us him her you me")
_LISTING = words("and or and/or nor") | {",", '"'}


_POSSESSION = words("of the a an 's its their our in for") | {"'"}


def order_differs(alignment: Alignment) -> Difference | None:
    """A reordering that may change who does what, or a change between active and passive that does."""
    places = [
        place
        for place in alignment.claim.content
        if place in alignment.to_quote and not _is_only_date(alignment, place)
    ]
    runs = _runs(alignment, places)
    if len(runs) > 1:
        if is_turned_passive(alignment, places) or keeps_parts(alignment):
            return None
        fixed = [number for number, run in enumerate(runs) if not _is_movable(alignment, run)]
        clauses = {
            place for number, run in enumerate(runs) if number not in fixed and len(run) > 2 for place in run
        }
        in_place = [place for place in places if place not in clauses]
        crossing = (
            _exchanged(alignment, places, runs, fixed)
            or _crossing_figures(alignment, in_place)
            or _crossing_phrases(alignment, runs, fixed)
        )
        if crossing:
            return _moved(alignment, *crossing)
    return _voice_differs(alignment, places)


def _runs(alignment: Alignment, places: list[int]) -> list[list[int]]:
    """The words of the claim, parted where the quote does not have them in this order."""
    runs: list[list[int]] = []
    for place in places:
        if runs and _follows(alignment, runs[-1][-1], place):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _exchanged(
    alignment: Alignment, places: list[int], runs: list[list[int]], fixed: list[int]
) -> tuple[int, int] | None:
    """Words of two runs that may stand nowhere else and that the quote has the other way round."""
    for one, other in pairwise(fixed):
        first, second = runs[one], runs[other]
        turned = alignment.to_quote[second[0]] < alignment.to_quote[first[-1]]
        joined = other == one + 1 and _is_joined(alignment, first, second)
        if turned and not joined and _is_exchange(alignment, places):
            return first[-1], second[0]
    return None


def _is_only_date(alignment: Alignment, place: int) -> bool:
    """Whether the word is a date that may stand anywhere, as the quote has no other of its kind."""
    quantity = alignment.claim.tokens[place].quantity
    if quantity is None or quantity.unit not in DATE_UNITS:
        return False
    figures = [token.quantity for token in alignment.quote.tokens if token.quantity]
    alone = sum(figure.unit == quantity.unit for figure in figures) == 1
    there = alignment.to_quote[place]
    return alone and bool(opening_word(alignment.claim, place) and opening_word(alignment.quote, there))


def _follows(alignment: Alignment, first: int, second: int) -> bool:
    """Whether two words of the claim stand in this order in the quote; cells of a table have none."""
    one, other = alignment.to_quote[first], alignment.to_quote[second]
    tokens = alignment.quote.tokens
    return other > one or (tokens[one].row, tokens[one].cell) != (tokens[other].row, tokens[other].cell)


def _moved(alignment: Alignment, first: int, second: int) -> Difference:
    one, other = alignment.claim.tokens[first].surface, alignment.claim.tokens[second].surface
    return Difference(text=f"The claim has “{one}” before “{other}”, the quote has them the other way round.")


def _is_exchange(alignment: Alignment, places: list[int]) -> bool:
    """Whether the order may say who does what: what stands before and behind some word stands the other way
    round in the quote ("A sued B", "B sued A"), a name or figure has moved, or a word of another clause.
    """
    quoted = alignment.quote.tokens
    there = [alignment.to_quote[place] for place in places]
    for middle in range(1, len(there) - 1):
        if max(there[:middle]) > there[middle] > min(there[middle + 1 :]):
            return True
    for number, (one, other) in enumerate(pairwise(there)):
        if one > other:
            before = [place for place in there[: number + 1] if place > other]
            behind = [place for place in there[number + 1 :] if place < one]
            moved = [quoted[place] for place in (*before, *behind)]
            if len({token.clause for token in moved}) > 1 or _differ_in_preposition(
                alignment, before + behind
            ):
                return True
            if any(token.quantity for token in moved) or any(
                all(quoted[place].capital for place in side) for side in (before, behind)
            ):
                return True
    return False


def _differ_in_preposition(alignment: Alignment, there: list[int]) -> bool:
    """Whether one of the words stands directly under another preposition in the claim."""
    pairs = [
        (preposition(alignment.quote, place), preposition(alignment.claim, alignment.to_claim[place]))
        for place in there
    ]
    return any(one and other and one != other for one, other in pairs)


def _is_movable(alignment: Alignment, run: list[int]) -> bool:
    """Whether the run is an adverb or a whole phrase or clause that may stand before or after the rest."""
    claim, quote = alignment.claim, alignment.quote
    there = [alignment.to_quote[place] for place in run]
    others = [other for other in alignment.to_claim if other not in there]
    if any(there[0] < other < there[-1] for other in others):
        return False
    if any(_has_rival(alignment, place) for place in there):
        return False
    if len(run) == 1 and claim.tokens[run[0]].surface.endswith("ly"):
        return True
    if not (closes_phrase(claim, run[-1]) and closes_phrase(quote, there[-1])):
        return False
    ours, theirs = opening_word(claim, run[0]), opening_word(quote, there[0])
    if ours and (ours == theirs or {ours, theirs} <= {"in", "during", "for", "on", "at", "as"}):
        return True
    is_clause = len(run) > 1 and not all(claim.tokens[place].capital for place in run)
    return is_clause and opens_clause(claim, run[0]) and opens_clause(quote, there[0])


def _has_rival(alignment: Alignment, there: int) -> bool:
    """Whether the quote has another date of the kind, so that a date belongs where it stands."""
    tokens = alignment.quote.tokens
    date = tokens[there].quantity
    return (
        date is not None
        and date.unit in DATE_UNITS
        and any(
            other not in alignment.to_claim and quantity.unit == date.unit
            for other in alignment.quote.content
            if (quantity := tokens[other].quantity) is not None
        )
    )


def _is_joined(alignment: Alignment, first: list[int], second: list[int]) -> bool:
    """Whether two runs are neighbours in a list, or owner and owned: "loan repayment", "repayment of the
    loan".
    """
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
        ours <= _LISTING | DETERMINERS
        and theirs <= _LISTING | DETERMINERS
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
        if (
            crossed
            and opening_word(alignment.claim, first[0]) == opening_word(alignment.claim, second[0]) != ""
        ):
            return first[-1], second[0]
    return None


def is_turned_passive(alignment: Alignment, places: list[int]) -> bool:
    """Whether one text is the other's passive: the parties change sides about the verb, and one stands
    after "by".
    """
    for place in places:
        there = alignment.to_quote[place]
        passive = is_passive(alignment.claim, place)
        if passive == is_passive(alignment.quote, there):
            continue
        passive_text = alignment.claim if passive else alignment.quote
        pairs = [(other, alignment.to_quote[other]) for other in places if other != place]
        stay = [(a, b) for a, b in pairs if (a < place) == (b < there)]
        swap = [(a, b) for a, b in pairs if (a < place) != (b < there)]
        stays = [b for _, b in stay]
        agents = [
            a if passive else b for a, b in swap if preposition(passive_text, a if passive else b) == AGENT
        ]
        verb = place if passive else there
        pronoun = _is_done_by_pronoun(passive_text, verb)
        agentless = not agents and _has_no_agent(alignment, place, there, passive)
        if stays == sorted(stays) and ((agents and len(swap) > 1) or ((pronoun or agentless) and swap)):
            return True
    return False


def _has_no_agent(alignment: Alignment, place: int, there: int, passive: bool) -> bool:
    """Whether the passive leaves out who does it, and its subject is what follows the active verb."""
    claim, quote = alignment.claim, alignment.quote
    text, verb, active, at = (claim, place, quote, there) if passive else (quote, there, claim, place)
    other = alignment.to_claim if passive else alignment.to_quote
    clause = text.tokens[verb].clause
    subject = [word for word in text.content if word < verb and text.tokens[word].clause == clause]
    behind = [word for word in active.content if word > at][: len(subject)]
    return bool(subject) and sorted(other.get(word, -1) for word in behind) == subject


def _is_done_by_pronoun(statement: Statement, place: int) -> bool:
    """Whether "by it" or the like follows the verb."""
    following = [token.key for token in statement.tokens[place + 1 : place + 3]]
    return len(following) == 2 and following[0] == AGENT and following[1] in _OBJECTS


def _voice_differs(alignment: Alignment, places: list[int]) -> Difference | None:
    """ "Was sued" for "sued": the subject would change sides."""
    for before, place in pairwise(places):
        there = alignment.to_quote[place]
        ours, theirs = is_passive(alignment.claim, place), is_passive(alignment.quote, there)
        if ours == theirs or alignment.claim.tokens[place].capital:
            continue
        between = alignment.claim.tokens[before:place]
        if ours and any(word.key in ("who", "which", "that") for word in between):
            continue  # "shareholders who were registered" for "shareholders registered"
        active, at = (alignment.quote, there) if ours else (alignment.claim, place)
        if _has_object(active, at) and alignment.to_quote[before] < there and _was_verb(active, at):
            subject = alignment.claim.tokens[before].surface
            said, quoted = _with_auxiliary(alignment.claim, place), _with_auxiliary(alignment.quote, there)
            return Difference(text=f"The claim says “{subject} {said}”, the quote “{subject} {quoted}”.")
    return None


def _has_object(active: Statement, at: int) -> bool:
    """Whether the word looks like a verb in the active, and what follows it like its object."""
    following = active.tokens[at + 1] if at + 1 < len(active.tokens) else None
    if following is None or (following.quantity and following.quantity.unit in DATE_UNITS):
        return False
    takes_object = following.is_content or following.kind == "operator" or following.key in DETERMINERS
    verb = active.tokens[at]
    return takes_object and verb.surface.lower().endswith(("ed", "s", "d", "t")) and not verb.quantity


def _with_auxiliary(statement: Statement, place: int) -> str:
    """The verb with the form of "be" before it."""
    first = next(
        (there for there in range(place - 1, max(-1, place - 4), -1) if statement.tokens[there].key in BE),
        place,
    )
    if not is_passive(statement, place):
        first = place
    return " ".join(token.surface for token in statement.tokens[first : place + 1])


def _was_verb(statement: Statement, place: int) -> bool:
    """Whether the word before is no article or preposition, after which a noun or an adjective would
    stand.
    """
    before = statement.tokens[place - 1] if place else None
    return (
        before is not None
        and before.key not in DETERMINERS
        and before.key not in PREPOSITIONS
        and before.key != "of"
    )
