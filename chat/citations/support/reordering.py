"""Whether each phrase of the claim plays the part in it that it plays in the quote, whatever the order."""

from chat.citations.support.alignment import Alignment
from chat.citations.support.grammar import AGENT, BE, are_alike, is_passive
from chat.citations.support.phrases import Phrase, Structure, structure
from chat.citations.support.statement import Statement
from text.lexicon import is_past_form
from text.word_lists import words

SUBJECT, OBJECT, PREDICATE = "subject", "object", "predicate"
_RELATIVES = words("who which that whom")
Part = tuple[
    str, int
]  # the part or the preposition, and the place of the verb or of the word it stands under


def keeps_parts(alignment: Alignment) -> bool:
    """Whether each told phrase has the same part in claim and quote; False where that can't be told."""
    ours, theirs = structure(alignment.claim), structure(alignment.quote)
    if not ours.verbs and not ours.finite:
        return False
    last: dict[str, int] = {}
    for phrase in ours.phrases:
        head = next((place for place in reversed(phrase.places) if place in alignment.to_quote), None)
        quoted = theirs.phrase_of.get(alignment.to_quote[head]) if head is not None else None
        if quoted is None or not _is_same_part(alignment, phrase, quoted, ours, theirs):
            return False
        if last.get(phrase.marker, -1) > quoted.places[0] and phrase.marker:
            return False  # two phrases under one preposition have changed places
        last[phrase.marker] = quoted.places[0]
        there = [alignment.to_quote.get(place, -1) for place in phrase.places]
        if set(there) - set(quoted.places) or there != sorted(there):
            return False
    return all(place in alignment.to_quote for place in ours.verbs)


def _is_same_part(
    alignment: Alignment, phrase: Phrase, quoted: Phrase, ours: Structure, theirs: Structure
) -> bool:
    quantity = alignment.quote.tokens[quoted.places[0]].quantity
    if quantity is not None:
        return _is_only_figure(alignment.quote, quoted, theirs) and _has_same_preposition(phrase, quoted)
    mine = {
        (part, alignment.to_quote.get(place, -1) if place >= 0 else place)
        for part, place in parts(alignment.claim, phrase, ours)
    }
    other = parts(alignment.quote, quoted, theirs)
    return any(
        (part == same or are_alike(part, same))
        and (
            place == there
            or (part == PREDICATE)
            or (-1 in (place, there) and _is_loose(alignment, phrase, quoted, theirs))
        )
        for part, place in mine
        for same, there in other
    )


def _is_loose(alignment: Alignment, phrase: Phrase, quoted: Phrase, theirs: Structure) -> bool:
    """Whether a phrase that the claim puts in front belongs to no noun in the quote."""
    governor = quoted.governor
    loose = governor is None or governor in theirs.verbs or alignment.quote.tokens[governor].quantity
    return bool(phrase.marker and loose)


def _has_same_preposition(phrase: Phrase, quoted: Phrase) -> bool:
    return phrase.marker == quoted.marker or are_alike(phrase.marker, quoted.marker) or quoted.is_date


def _is_only_figure(quote: Statement, phrase: Phrase, theirs: Structure) -> bool:
    """Whether its clause has no other figure of its kind, which the order may tell it from."""
    own = {token.quantity.unit for place in phrase.places if (token := quote.tokens[place]).quantity}
    clause = theirs.clauses[phrase.places[0]]
    others = [
        quantity.unit
        for place in quote.content
        if place not in phrase.places
        and theirs.clauses[place] == clause
        and (quantity := quote.tokens[place].quantity)
    ]
    return not own.intersection(others)


def parts(statement: Statement, phrase: Phrase, parsed: Structure) -> set[Part]:
    """The parts that a phrase may play; the passive's subject is an object, and "by" a subject."""
    if phrase.marker:
        governors = {place for place in (phrase.governor, phrase.verb) if place is not None} or {-1}
        agents = {
            (SUBJECT, place)
            for place in governors
            if phrase.marker == AGENT and place >= 0 and is_participle(statement, place, parsed)
        }
        return agents or {(phrase.marker, place) for place in governors}
    if phrase.governor is not None and phrase.governor in parsed.verbs:
        return {(OBJECT, phrase.governor)}
    tokens, clause = statement.tokens, parsed.clauses[phrase.places[0]]
    for place in range(phrase.places[-1] + 1, len(tokens)):
        if parsed.clauses[place] != clause or tokens[place].key in _RELATIVES:
            break
        if (place in parsed.verbs and place in parsed.finite) or is_participle(statement, place, parsed):
            return {(OBJECT if is_participle(statement, place, parsed) else SUBJECT, place)}
        if place in parsed.finite:
            verb = _main_verb(statement, place, parsed)
            if verb is None:
                return {(SUBJECT, -1)}
            return {(OBJECT if is_participle(statement, verb, parsed) else SUBJECT, verb)}
    return {(PREDICATE, -1)}


def _main_verb(statement: Statement, auxiliary: int, parsed: Structure) -> int | None:
    """The verb that an auxiliary belongs to; None for a "was" or "had" on its own."""
    for place in range(auxiliary + 1, len(statement.tokens)):
        token = statement.tokens[place]
        if place in parsed.verbs:
            return place
        is_between = token.key in BE or token.kind == "operator" or token.surface.endswith("ly")
        if not is_between and token.key not in ("have", "has", "also"):
            return None
    return None


def is_participle(statement: Statement, verb: int, parsed: Structure) -> bool:
    """Whether the verb is passive: "was built", or "built" right behind a noun and a comma or before "by"."""
    if is_passive(statement, verb):
        return True
    tokens = statement.tokens
    behind = tokens[verb + 1].key if verb + 1 < len(tokens) else ""
    return verb in parsed.verbs and is_past_form(tokens[verb].surface) and behind == AGENT
