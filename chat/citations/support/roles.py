"""Whether the phrases that the claim takes from the quote are whole, and stand under the same words there."""

from chat.citations.support.alignment import Alignment
from chat.citations.support.clauses import FACTIVE
from chat.citations.support.grammar import BE, DETERMINERS, is_passive
from chat.citations.support.limits import is_answer
from chat.citations.support.order import is_turned_passive
from chat.citations.support.outcome import Difference
from chat.citations.support.phrases import Phrase, Structure, structure
from chat.citations.support.statement import Statement
from text.lexicon import is_common, root
from text.word_lists import words

# Words before a noun that may be left out, as what is said of it holds for it all the same.
_HARMLESS = words("total aggregate overall own respective various")
# What such a word stands before is none of it: an acting director is no director.
_PRIVATIVE = words(
    """acting deputy vice former ex fake counterfeit false forged alleged attempted potential proposed
    possible assistant associate honorary mock supposed planned intended non draft provisional temporary
    interim toy would-be so-called"""
)
_LIMITING_FAMILIES = words("negation condition")
_REVOKED = frozenset(
    root(word) for word in words("repealed restated revoked withdrawn expired void suspended only")
)
_LIGHT_VERBS = words("get gets got have has had is are was were")
_RECIPIENTS = words("to for from")
_BECOMING = frozenset(root(word) for word in words("become remain stay continue prove turn"))
_INDEFINITE = words("a an")


def phrases_differ(alignment: Alignment) -> Difference | None:
    """A noun without the words that make it another: sales for cost of sales, a director for a deputy."""
    if alignment.quote.is_table or alignment.claim.is_table:
        return None
    ours, theirs = structure(alignment.claim), structure(alignment.quote)
    if is_answer(alignment.claim, ours):
        return None
    if difference := _aside_dropped(alignment):
        return difference
    for phrase in theirs.phrases:
        if difference := _cut_phrase(alignment, phrase):
            return difference
    is_turned = is_turned_passive(alignment, sorted(alignment.to_quote))
    for phrase in ours.phrases:
        if difference := _taken_out(alignment, phrase, ours, theirs, is_turned):
            return difference
    return None


def _aside_dropped(alignment: Alignment) -> Difference | None:
    """A bracket that limits or takes back what stands before it: "(not in summer)", "(repealed in 2019)"."""
    tokens = alignment.quote.tokens
    start = None
    for place, token in enumerate(tokens):
        if token.surface in ("(", "["):
            start = place
        elif token.surface in (")", "]") and start is not None:
            inside = tokens[start + 1 : place]
            told = any(there in alignment.to_claim for there in range(start, place))
            limits = any(other.family in _LIMITING_FAMILIES or other.key in _REVOKED for other in inside)
            if limits and not told and start - 1 in _told_until(alignment, start):
                return Difference(
                    text=f"The quote adds “{' '.join(other.surface for other in inside)}” in brackets."
                )
            start = None
    return None


def _told_until(alignment: Alignment, start: int) -> set[int]:
    """The place before a bracket, if the claim tells a word of the sentence that it stands in."""
    segment = alignment.quote.tokens[start].segment
    told = any(alignment.quote.tokens[place].segment == segment for place in alignment.to_claim)
    return {start - 1} if told else set()


def _cut_phrase(alignment: Alignment, phrase: Phrase) -> Difference | None:
    """One of the words that stand together is told and another is not."""
    tokens = alignment.quote.tokens
    if phrase.is_date or tokens[phrase.places[0]].quantity:
        return None
    told = [place for place in phrase.places if place in alignment.to_claim]
    left = [
        place
        for place in phrase.places
        if place not in alignment.to_claim and not _is_harmless(alignment, phrase, place)
    ]
    if not told or not left:
        return None
    whole, part = _text(alignment.quote, phrase.places), _text(alignment.quote, told)
    return Difference(text=f"The quote says “{whole}”, the claim only “{part}”.")


def _is_harmless(alignment: Alignment, phrase: Phrase, place: int) -> bool:
    """Whether a word before a noun may be left out: a first name, "total", or what stands before it."""
    tokens = alignment.quote.tokens
    token = tokens[place]
    if token.surface.lower() in _HARMLESS:
        return True
    if token.surface.endswith(("'s", "s'")) and place == phrase.places[0]:
        return True  # whose it is
    told = [other for other in phrase.places if other in alignment.to_claim]
    if not token.capital and told and all(tokens[other].capital and other > place for other in told):
        return True  # what somebody is, before the name
    if (
        place < phrase.places[-1]
        and phrase.places[-1] in alignment.to_claim
        and _is_one_of_many(alignment, phrase)
    ):
        return token.surface.lower() not in _PRIVATIVE
    is_name = token.capital and place > 0 and tokens[place - 1].kind != "punctuation"
    others = [other for other in phrase.places if other in alignment.to_claim]
    return is_name and any(tokens[other].capital for other in others) and not is_common(token.surface)


def _is_one_of_many(alignment: Alignment, phrase: Phrase) -> bool:
    """Whether the phrase opens with "a" or "some": a grey bird is a bird. Not where its size is told."""
    tokens = alignment.quote.tokens
    opening = tokens[phrase.start : phrase.places[0]]
    behind = tokens[phrase.places[-1] + 1 : phrase.places[-1] + 4]
    one = any(token.key in ("a", "an") or "some" in token.says for token in opening)
    return one and not any(token.quantity for token in behind)


def _taken_out(
    alignment: Alignment, phrase: Phrase, ours: Structure, theirs: Structure, is_turned: bool
) -> Difference | None:
    """A phrase of the claim that in the quote stands under another word, or under a preposition."""
    claim, quote = alignment.claim, alignment.quote
    head = next((place for place in reversed(phrase.places) if place in alignment.to_quote), None)
    if head is None or phrase.is_date or claim.tokens[head].quantity:
        return None
    quoted = theirs.phrase_of.get(alignment.to_quote[head])
    if quoted is None:
        return None
    if quoted.marker and not phrase.marker and not is_turned:
        is_same = (
            _is_predicate(alignment, quoted, theirs)
            or _stands_alone(alignment, head, theirs)
            or _is_joined(alignment, phrase, quoted)
            or _is_recipient(alignment, phrase, quoted, ours)
        )
        if not is_same:
            said = f"{quoted.marker} {_text(quote, quoted.places)}"
            return Difference(text=f"The quote says “{said}”, the claim “{_text(claim, phrase.places)}”.")
    governor = quoted.governor
    if _is_declared(alignment, phrase, quoted, theirs):
        said = quote.tokens[quoted.governor or quoted.start - 1].surface
        return Difference(text=f"The quote says “{said}”, the claim leaves it out.")
    if _is_predicate(alignment, quoted, theirs) or _is_listed_with_told(alignment, governor, theirs):
        return None
    if governor is None or governor in alignment.to_claim or quote.tokens[governor].quantity:
        return None
    if not quoted.marker and governor not in theirs.verbs:
        return None
    if phrase.governor is None and phrase.marker:
        return None
    mine = alignment.to_quote.get(phrase.governor) if phrase.governor is not None else None
    if mine is not None and mine in (governor, quoted.verb):
        return None
    if not quoted.marker and (mine is None or _shares_object(alignment, governor, mine)):
        return None
    if any(token.key in _LIGHT_VERBS for token in claim.tokens[phrase.governor or 0 : phrase.places[0]]):
        return None
    whole = " ".join(
        filter(None, (quote.tokens[governor].surface, quoted.marker, _text(quote, quoted.places)))
    )
    return Difference(
        text=f"The quote says “{whole}”, the claim leaves “{quote.tokens[governor].surface}” out."
    )


def _is_declared(alignment: Alignment, phrase: Phrase, quoted: Phrase, theirs: Structure) -> bool:
    """Whether the claim says that it is what the quote says that it looked like or was called: "declared
    invalid", "looks Roman", "is held to be Roman".
    """
    tokens, verb, before = alignment.quote.tokens, quoted.start - 1, phrase.start - 1
    if verb > 2 and (tokens[verb].key, tokens[verb - 1].key) == ("be", "to"):
        verb -= 2
    if quoted.marker or verb not in theirs.verbs or verb in alignment.to_claim or before < 0:
        return False
    return tokens[verb].key not in FACTIVE | _BECOMING and alignment.claim.tokens[before].key in BE


def _is_listed_with_told(alignment: Alignment, governor: int | None, theirs: Structure) -> bool:
    """Whether the word stands behind an "and" whose other side is told: "some milk and water to the cat"."""
    phrase = theirs.phrase_of.get(governor) if governor is not None else None
    if (
        phrase is None
        or phrase.start < 2
        or alignment.quote.tokens[phrase.start - 1].key not in ("and", "or")
    ):
        return False
    return phrase.start - 2 in alignment.to_claim


def _is_predicate(alignment: Alignment, quoted: Phrase, theirs: Structure) -> bool:
    """Whether the quote says it of the phrase as such: "a loss of $3 million", "a fine that was paid"."""
    tokens = alignment.quote.tokens
    behind = quoted.places[-1] + 1
    if behind + 1 < len(tokens) and tokens[behind].key in ("who", "which", "that"):
        clause = range(behind, min(behind + 4, len(tokens)))
        if any(place in theirs.verbs and place in alignment.to_claim for place in clause):
            return True
    return any(
        phrase.marker == "of" and phrase.governor in quoted.places and phrase.places[0] in alignment.to_claim
        for phrase in theirs.phrases
        if tokens[phrase.places[0]].quantity
    )


def _stands_alone(alignment: Alignment, head: int, theirs: Structure) -> bool:
    """Whether the quote has the same word elsewhere under no preposition: a name often comes twice."""
    key = alignment.claim.tokens[head].key
    return any(
        not phrase.marker and any(alignment.quote.tokens[place].key == key for place in phrase.places)
        for phrase in theirs.phrases
    )


def _shares_object(alignment: Alignment, verb: int, other: int) -> bool:
    """Whether "and" joins two verbs, so that what follows belongs to both: "designs and sells phones"."""
    between = alignment.quote.tokens[min(verb, other) + 1 : max(verb, other)]
    return any(token.key in ("and", "or") for token in between) and not any(t.is_content for t in between)


def _is_joined(alignment: Alignment, phrase: Phrase, quoted: Phrase) -> bool:
    """Whether the claim puts it before the noun it belongs to: "console volume" for "volume of consoles"."""
    if quoted.governor is None:
        return False
    if alignment.quote.tokens[quoted.governor].quantity:
        return not _is_partitive(alignment.quote, quoted)
    return any(alignment.to_quote.get(place) == quoted.governor for place in phrase.places)


def _is_partitive(quote: Statement, phrase: Phrase) -> bool:
    """Whether the figure over it counts a part of a whole: "10% of Beta", "two of the fields"."""
    figure = quote.tokens[phrase.governor].quantity if phrase.governor is not None else None
    is_definite = any(
        token.key in DETERMINERS - _INDEFINITE for token in quote.tokens[phrase.start : phrase.places[0]]
    )
    return phrase.marker == "of" and figure is not None and (figure.unit == "%" or is_definite)


def _is_recipient(alignment: Alignment, phrase: Phrase, quoted: Phrase, ours: Structure) -> bool:
    """ "The museum was sold the painting" for "sold the painting to the museum"."""
    if quoted.marker not in _RECIPIENTS:
        return False
    follows_verb = phrase.governor is not None and phrase.governor in ours.verbs
    passive = any(is_passive(alignment.claim, verb) for verb in ours.verbs if verb > phrase.places[-1])
    return follows_verb or passive


def _text(statement: Statement, places: tuple[int, ...] | list[int]) -> str:
    return " ".join(statement.tokens[place].surface for place in places)
