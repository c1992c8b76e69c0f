"""What the claim leaves out of the part of the quote that it takes over."""

from collections import defaultdict
from collections.abc import Iterator

from citations.support.alignment import Alignment
from citations.support.facts import LIGHT
from citations.support.outcome import Difference
from english.closed_classes import DO, FORMS_OF_BE, HAVE, SUBJECT_PRONOUNS
from english.lexicon import is_past_form, root, verb_reading
from english.reading import DATE_UNITS, Reading, Token
from text.word_lists import words

# Words that say nothing of their own beside what they stand with.
_INERT = LIGHT | frozenset(
    root(word)
    for word in words(
        """respective certain own herein thereof hereby written aforementioned following relevant applicable
                current currently also itself aggregate new additional corresponding overall various related
        occur arise exist relate concern involve contain consist account outstanding include"""
    )
)
_PERIODS = words("year quarter month week day period half fiscal time")
_PLACES = words("clause clauses section sections article articles paragraph schedule annex")
_PARTICLES = words("back off out away aside apart forth over")
_PRONOUNS = SUBJECT_PRONOUNS | words("this these")
_VERBS = FORMS_OF_BE | HAVE | DO
_RESTRICTING = words("that who whose")
LOOKED_AT = 60  # words of a clause that are looked at
ANSWER = 8  # words that an answer has at most


def words_left_out(alignment: Alignment) -> Iterator[Difference]:
    """Runs of words that the claim leaves out, and that may limit what it takes over."""
    if alignment.quote.is_table or not alignment.to_claim:
        return
    quote = alignment.quote
    clauses: dict[int, list[int]] = defaultdict(list)
    for place, token in enumerate(quote.tokens):
        clauses[token.clause].append(place)
    denied = _denied_segments(quote)
    for run in _runs(alignment):
        if _is_inert(quote, run) or is_answer(alignment.claim):
            continue
        if (
            _is_set_off(alignment, run, clauses)
            or _is_listed(alignment, run, denied)
            or _is_reason(quote, run)
        ):
            continue
        left = " ".join(token.surface for token in quote.tokens[run[0] : run[-1] + 1])
        soft = not _is_governed(alignment, run)
        yield Difference(text=f"The claim leaves out “{left}”.", quoted=left, soft=soft)


def _is_listed(alignment: Alignment, run: list[int], denied: set[int]) -> bool:
    """Whether the run is a member of a list of which the claim has another member: a list with "and", or with
    "or" under a negation.
    """
    tokens = alignment.quote.tokens
    before, behind = tokens[max(0, run[0] - 2) : run[0]], tokens[run[-1] + 1 : run[-1] + 3]
    joints = {token.key for token in (*before[-1:], *behind[:1])}
    joined = ("or" if tokens[run[0]].segment in denied else "and") in joints
    if "and" in joints and (_is_predicate(tokens[run[0]]) or _is_paired(alignment.quote, run)):
        return True
    said = [run[0] - 2, run[-1] + 2]
    is_plain = not any(tokens[place].capital or tokens[place].quantity for place in run)
    return joined and is_plain and any(place in alignment.to_claim for place in said)


def _is_predicate(token: Token) -> bool:
    """Whether the run begins with a verb: it says something else of the same subject."""
    is_verb = verb_reading(token.surface) == "mostly" or is_past_form(token.surface)
    return is_verb and token.kind == "word" and not token.capital


def _is_paired(quote: Reading, run: list[int]) -> bool:
    """Whether the run is a figure of which the quote has as many as it has years, each with its own."""
    units = [token.quantity.unit for token in quote.tokens if token.quantity]
    said = {quote.tokens[place].quantity for place in run}
    own = {quantity.unit for quantity in said if quantity} - DATE_UNITS
    return None not in said and len(own) == 1 and units.count(own.pop()) == units.count("year")


def _denied_segments(quote: Reading) -> set[int]:
    return {
        token.segment for token in quote.tokens if token.family == "negation" or "forbidden" in token.says
    }


def _is_reason(quote: Reading, run: list[int]) -> bool:
    """Whether the run only gives a reason, behind what the claim has."""
    opening = quote.tokens[max(0, run[0] - 3) : run[0]]
    return any(token.family == "reasons" for token in opening)


def particles_left_out(alignment: Alignment) -> Iterator[Difference]:
    """ "Paid" for "paid back": the little word behind a verb, or at the end of its clause."""
    said = {token.surface.lower() for token in alignment.claim.tokens}
    tokens = alignment.quote.tokens
    for place, token in enumerate(tokens[1:], 1):
        if token.surface.lower() not in _PARTICLES or token.surface.lower() in said:
            continue
        ends = place + 1 == len(tokens) or tokens[place + 1].kind == "punctuation"
        is_behind_verb = _is_predicate(tokens[place - 1]) and place - 1 in alignment.to_claim
        if is_behind_verb or (ends and place - 1 in alignment.to_claim):
            yield Difference(text=f"The claim leaves out “{token.surface}”.", quoted=token.surface, soft=True)


def _is_governed(alignment: Alignment, run: list[int]) -> bool:
    """Whether "all", "no" or "only" stands before the run: "no large dogs" is not "no dogs"."""
    tokens = alignment.quote.tokens
    before = next((token for token in reversed(tokens[: run[0]]) if token.kind != "function"), None)
    governs = before is not None and before.says & {"all", "any", "only", "not"}
    return bool(governs) and run[-1] + 1 in alignment.to_claim


def _runs(alignment: Alignment) -> Iterator[list[int]]:
    """Maximal runs of content words that the claim does not have, each within one clause."""
    segments = alignment.told_segments()
    run: list[int] = []
    for place in alignment.quote.content:
        token = alignment.quote.tokens[place]
        breaks = run and alignment.quote.tokens[run[-1]].clause != token.clause
        if place in alignment.to_claim or token.segment not in segments or breaks:
            if run:
                yield run
            run = []
        if place not in alignment.to_claim and token.segment in segments:
            run.append(place)
    if run:
        yield run


def _is_inert(quote: Reading, run: list[int]) -> bool:
    """Whether the run has only inert words, or says only when."""
    if run[0] == quote.content[0] and _is_numbering(quote, run[0]):
        run = run[1:]
    said = [quote.tokens[place] for place in run if quote.tokens[place].key not in _INERT]
    return all(
        (token.quantity and token.quantity.unit in DATE_UNITS)
        or token.surface.lower() in _PERIODS | _PLACES
        or (token.quantity and said[0].surface.lower() in _PLACES)
        or token.key.startswith("#")
        for token in said
    )


def _is_numbering(quote: Reading, place: int) -> bool:
    """Whether the word is a clause's number, or the "note that" before a statement."""
    token = quote.tokens[place]
    behind = quote.tokens[place + 1].key if place + 1 < len(quote.tokens) else ""
    return token.surface.replace(".", "").isdigit() or (token.key == "note" and behind == "that")


def _is_set_off(alignment: Alignment, run: list[int], clauses: dict[int, list[int]]) -> bool:
    """Whether a mark opens a clause with the run that has nothing of the claim: it adds to the rest."""
    tokens = alignment.quote.tokens
    own = clauses[tokens[run[0]].clause][:LOOKED_AT]
    restricts = any(tokens[at].key in _RESTRICTING for at in own[:2])
    alternates = any(tokens[at].key == "or" for at in own if at < run[0])
    limits = any(tokens[at].family in ("negation", "conditions") or "only" in tokens[at].says for at in own)
    return not (restricts or alternates or limits or any(at in alignment.to_claim for at in own))


def is_answer(claim: Reading) -> bool:
    """Whether the claim is a few words without a verb, which leave the rest to the question: "sixty days"."""
    tokens = claim.tokens
    if len(claim.content) > ANSWER or any(token.key in _VERBS for token in tokens):
        return False
    return not any(
        token.family in ("may and must", "facts and expectations") or _is_verb_of_answer(tokens, place)
        for place, token in enumerate(tokens)
    )


def _is_verb_of_answer(tokens: list[Token], place: int) -> bool:
    """Whether the word is a verb behind its subject: "owns", "kept"; not "written" of "sixty days' written
    notice".
    """
    word = tokens[place].surface.lower()
    if tokens[place].kind != "word" or not any(map(_may_be_subject, tokens[:place])):
        return False
    if is_past_form(word):
        leads = any(token.quantity for token in tokens[:2])
        return not (leads and place + 1 < len(tokens) and tokens[place + 1].kind == "word")
    return not tokens[place].capital and word.endswith("s") and bool(verb_reading(word))


def _may_be_subject(token: Token) -> bool:
    return token.is_content or token.key in _PRONOUNS
