"""Whether the claim leaves out what limits a word that it tells: "valid in France", "liable jointly with
Beta", "paid back".
"""

from collections.abc import Iterator

from chat.citations.support.alignment import Alignment
from chat.citations.support.grammar import BE, DETERMINERS, PREPOSITIONS, is_passive
from chat.citations.support.outcome import Difference
from chat.citations.support.phrases import PERIODS, Phrase, Structure, structure
from chat.citations.support.statement import Statement
from chat.citations.support.verbs import is_adverb
from text.lexicon import is_past_form, verb_reading
from text.word_lists import words

# Under these a phrase limits what is said, and not only adds to it.
_LIMITING = words("in on at for among against within during with without upon over above below after before")
_AIMED = words("to for from")  # right behind a verb they limit as well: "applies to trains"
# "Under this Agreement" limits nothing: it is what everything in the document is said of.
_DOCUMENTS = words(
    """agreement contract deed lease licence license policy amendment addendum schedule annex exhibit appendix
    report document statement filing act regulation directive paper letter memorandum prospectus"""
)
_RESULTS = words("result consequence")  # "as a result of" gives a reason
_NOMINAL = words("name theory principle paper part jest fun")  # "independent in name"
_LINKING = BE | words("become becomes became remain remains remained stay stays stayed")
_PRESENT = words("is are am")
_JOINTS = words("and or")
_ARTICLES = words("a an the")
_TOGETHER = words("together along alone")
_POINTING = words("these those them")
_PARTICLES = words("back up down off out away aside apart forth over")


def limits_differ(alignment: Alignment) -> Difference | None:
    """A phrase or particle without which the quote does not say it: "the drug cures cancer in mice"."""
    if alignment.quote.is_table or alignment.claim.is_table:
        return None
    ours, theirs = structure(alignment.claim), structure(alignment.quote)
    if is_answer(alignment.claim, ours):
        return None
    for phrase in theirs.phrases:
        if _is_exchanged(alignment, phrase, ours):
            continue
        if difference := _limit_dropped(alignment, phrase, theirs):
            return difference
    if difference := _part_told_as_whole(alignment):
        return difference
    for verb in sorted(theirs.verbs & alignment.to_claim.keys()):
        if difference := _particle_dropped(alignment, verb):
            return difference
    return None


def _part_told_as_whole(alignment: Alignment) -> Difference | None:
    """ "These" for "the fiercest of these"."""
    claim, quote = alignment.claim.tokens, alignment.quote.tokens
    for place in range(2, len(quote)):
        part, of, pointing = quote[place - 2 : place + 1]
        if pointing.key not in _POINTING or of.key != "of" or place - 2 in alignment.to_claim:
            continue
        told = [at for at, token in enumerate(claim) if token.key == pointing.key]
        if any(at == 0 or claim[at - 1].key != "of" for at in told):
            said = f"{part.surface} of {pointing.surface}"
            return Difference(text=f"The quote says “{said}”, the claim only “{pointing.surface}”.")
    return None


def _is_exchanged(alignment: Alignment, phrase: Phrase, ours: Structure) -> bool:
    """Whether the claim has another phrase in its place, which is told as a word or figure that differs."""
    return any(
        other.marker == phrase.marker and not any(place in alignment.to_quote for place in other.places)
        for other in ours.phrases
    )


def is_answer(claim: Statement, ours: Structure) -> bool:
    """Whether the claim is one figure with its unit, which leaves the rest to the question: "sixty days"."""
    return not ours.finite and any(token.quantity for token in claim.tokens[:2])


def _limit_dropped(alignment: Alignment, phrase: Phrase, theirs: Structure) -> Difference | None:
    """A phrase that limits a told word is left out: "exports" for "exports to Japan"."""
    quote = alignment.quote
    if any(place in alignment.to_claim for place in phrase.places):
        return None
    if _is_time(quote, phrase) or _is_this_document(quote, phrase):
        return None
    for governor in _governors(quote, phrase):
        if governor in alignment.to_claim and _limits(alignment, phrase, governor, theirs):
            said = quote.tokens[governor].surface
            rest = " ".join(token.surface for token in quote.tokens[governor + 1 : phrase.places[-1] + 1])
            return Difference(text=f"The quote says “{said} {rest}”, the claim only “{said}”.")
    return None


def _is_bounded(quote: Statement, phrase: Phrase, governor: int, theirs: Structure) -> bool:
    """Whether a figure right behind a noun or adjective bounds it: "vessels over 20 m"."""
    noun = theirs.phrase_of.get(governor)
    if noun is None or not quote.tokens[phrase.places[0]].quantity or quote.tokens[governor].quantity:
        return False
    has_article = any(token.key in ("a", "an") for token in quote.tokens[noun.start : noun.places[0]])
    return quote.tokens[governor + 1].family == "comparison" and not has_article


def _governors(quote: Statement, phrase: Phrase) -> Iterator[int]:
    """The word that the phrase depends on, adverbs passed over, and those that "and" joins to it."""
    place = phrase.governor
    while place is not None and place > 0 and _is_passed(quote, place):
        place -= 1
    while place is not None and quote.tokens[place].is_content:
        yield place
        joint = place - 1
        if joint < 1 or quote.tokens[joint].key not in _JOINTS:
            return
        place = joint - 1


def _is_passed(quote: Statement, place: int) -> bool:
    token = quote.tokens[place]
    return is_adverb(token) or token.key in _TOGETHER or token.kind == "operator"


def _limits(alignment: Alignment, phrase: Phrase, governor: int, theirs: Structure) -> bool:
    if not phrase.marker:
        return _is_bounded(alignment.quote, phrase, governor, theirs)
    return (
        _limits_subject(alignment, phrase, governor, theirs)
        or _limits_predicate(alignment.quote, phrase, governor, theirs)
        or (phrase.marker == "of" and _limits_limit(alignment.quote, governor, theirs))
        or _limits_verb(alignment.quote, phrase, governor, theirs)
        or (phrase.marker in _LIMITING and _is_measured(alignment, phrase, theirs))
        or (phrase.marker in _LIMITING | {"from"} and _is_general(alignment, phrase, theirs))
    )


def _is_this_document(quote: Statement, phrase: Phrase) -> bool:
    opening = [token.surface.lower() for token in quote.tokens[phrase.start : phrase.places[0]]]
    return "this" in opening and quote.tokens[phrase.places[-1]].surface.lower() in _DOCUMENTS


def _limits_subject(alignment: Alignment, phrase: Phrase, governor: int, theirs: Structure) -> bool:
    """Whether it belongs to the noun of which a verb behind it says something, and that is no "a" or name."""
    tokens = alignment.quote.tokens
    subject = theirs.phrase_of.get(governor)
    if subject is None or subject.marker or subject.verb is not None or _is_name(alignment.quote, governor):
        return False
    if any(tokens[place].key in ("a", "an") for place in range(subject.start, subject.places[0])):
        return False
    clause = theirs.clauses[governor]
    return any(place > phrase.places[-1] and theirs.clauses[place] == clause for place in theirs.finite)


def _limits_predicate(quote: Statement, phrase: Phrase, governor: int, theirs: Structure) -> bool:
    """Whether it belongs to what something is: "valid in France", "a doctor of philosophy"."""
    predicate = theirs.phrase_of.get(governor)
    if predicate is None or predicate.marker or quote.tokens[governor].quantity:
        return False
    before = predicate.start - 1
    while before > 0 and (_is_passed(quote, before) or _joins(quote, before)):
        before -= 1
    if before < 0 or quote.tokens[before].key not in _LINKING:
        return False
    has_article = any(token.key in _ARTICLES for token in quote.tokens[predicate.start : predicate.places[0]])
    return phrase.marker == "of" or not has_article


def _joins(quote: Statement, place: int) -> bool:
    """Whether it is "and" or "or", or the word before that."""
    following = quote.tokens[place + 1].key
    return quote.tokens[place].key in _JOINTS or (quote.tokens[place].is_content and following in _JOINTS)


def _limits_limit(quote: Statement, governor: int, theirs: Structure) -> bool:
    """Whether it belongs to a phrase that limits: "valid for students of medicine"."""
    outer = theirs.phrase_of.get(governor)
    if outer is None or outer.marker in ("", "of") or outer.governor is None or _is_time(quote, outer):
        return False
    return _limits_predicate(quote, outer, outer.governor, theirs) or _limits_verb(
        quote, outer, outer.governor, theirs
    )


def _limits_verb(quote: Statement, phrase: Phrase, governor: int, theirs: Structure) -> bool:
    """Whether it says of a verb as what it is done, or to whom it is done as a rule: "dismissed as a
    suspect", "closed to lorries".
    """
    if governor not in theirs.verbs:
        return False
    if phrase.marker in ("as", "of"):
        return quote.tokens[phrase.places[-1]].surface.lower() not in _RESULTS
    if phrase.marker == "in" and quote.tokens[phrase.places[-1]].surface.lower() in _NOMINAL:
        return True
    auxiliaries = {token.key for token in quote.tokens[max(0, governor - 3) : governor]}
    is_participle = is_passive(quote, governor) or quote.tokens[governor].surface.endswith("ing")
    is_present = is_participle and bool(auxiliaries & _PRESENT)
    is_present = is_present or (
        governor in theirs.finite and not is_past_form(quote.tokens[governor].surface)
    )
    return is_present and phrase.marker in _LIMITING | _AIMED


def _is_name(statement: Statement, place: int) -> bool:
    """Whether the word is written as a name, not only with the capital that opens a sentence."""
    tokens = statement.tokens
    opens = place == 0 or tokens[place - 1].segment != tokens[place].segment
    return tokens[place].capital and not opens


def _is_measured(alignment: Alignment, phrase: Phrase, theirs: Structure) -> bool:
    """Whether the claim takes a figure from the clause, which may not hold without the phrase."""
    tokens = alignment.quote.tokens
    clause = theirs.clauses[phrase.places[0]]
    return any(
        theirs.clauses[place] == clause and tokens[place].quantity and not theirs.phrase_of[place].is_date
        for place in alignment.to_claim
        if place in theirs.phrase_of
    )


def _is_general(alignment: Alignment, phrase: Phrase, theirs: Structure) -> bool:
    """Whether the verb says what may be or what is always so, which may not be so beyond the phrase."""
    tokens, verb = alignment.quote.tokens, phrase.verb
    if verb is None or verb not in alignment.to_claim:
        return False
    may = any(tokens[place].says & {"may", "can"} for place in range(max(0, verb - 3), verb))
    is_present = verb in theirs.finite and not is_past_form(tokens[verb].surface)
    return may or (is_present and verb_reading(tokens[verb].surface) != "")


def _is_time(statement: Statement, phrase: Phrase) -> bool:
    """Whether it says when: a date, "in the second quarter"; "in peak season" is a part of each year."""
    tokens = statement.tokens
    if phrase.is_date:
        return True
    opening = tokens[phrase.start : phrase.places[-1]]
    tells = any(token.key in DETERMINERS or token.quantity or token.key.startswith("#") for token in opening)
    return any(tokens[place].key in PERIODS for place in phrase.places) and tells


def _particle_dropped(alignment: Alignment, verb: int) -> Difference | None:
    """ "Paid" for "paid back": behind the verb, or at the end of its clause."""
    quote, claim, mine = alignment.quote, alignment.claim, alignment.to_claim[verb]
    if claim.tokens[mine].key != quote.tokens[verb].key:
        return None
    place = _particle(quote, verb)
    if place is None or place in alignment.to_claim:
        return None
    particle = quote.tokens[place].surface
    if any(token.surface.lower() == particle.lower() for token in claim.tokens):
        return None
    said = " ".join(token.surface for token in quote.tokens[verb : place + 1])
    return Difference(text=f"The quote says “{said}”, the claim leaves “{particle}” out.")


def _particle(quote: Statement, verb: int) -> int | None:
    for place in range(verb + 1, min(verb + 8, len(quote.tokens))):
        token = quote.tokens[place]
        if token.kind == "punctuation" or token.clause != quote.tokens[verb].clause:
            return None
        if token.surface.lower() not in _PARTICLES:
            continue
        behind = quote.tokens[place + 1] if place + 1 < len(quote.tokens) else None
        ends = behind is None or behind.kind == "punctuation" or behind.key in PREPOSITIONS
        return place if place == verb + 1 or ends else None
    return None
