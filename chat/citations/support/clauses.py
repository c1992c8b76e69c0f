"""Whether the verbs of the claim have the same subject in the quote, in one clause, as facts."""

from chat.citations.support.alignment import Alignment
from chat.citations.support.grammar import AGENT, DETERMINERS, PRONOUNS, is_passive
from chat.citations.support.outcome import Difference
from chat.citations.support.phrases import Phrase, Structure, structure
from chat.citations.support.statement import Statement
from text.lexicon import is_past_form, root
from text.word_lists import words

# Who says that somebody showed, found or knew something says that it is so.
FACTIVE = frozenset(
    root(word)
    for word in words(
        """show demonstrate confirm find found reveal note know known realize recognize acknowledge learn
        discover prove fact see establish determine conclude provide agree ensure remember notice true
        stipulate"""
    )
)
FOLLOWED = 2  # statements of a claim whose subjects are followed
_COORDINATING = words("and or nor")
_RELATIVES = words("who which that whom")


def clauses_differ(alignment: Alignment) -> Difference | None:
    """A verb of somebody else, of another clause, or that the quote does not tell as a fact."""
    if alignment.quote.is_table or alignment.claim.is_table:
        return None
    ours, theirs = structure(alignment.claim), structure(alignment.quote)
    statements = _statements(alignment.claim, ours)
    for verb in sorted(theirs.verbs & alignment.to_claim.keys()):
        mine = alignment.to_claim[verb]
        if difference := (
            _embedder_is_dropped(alignment, verb, mine, theirs)
            or _auxiliary_is_dropped(alignment, verb, mine, theirs)
            or (statements <= FOLLOWED and _subject_differs(alignment, verb, mine, ours, theirs))
        ):
            return difference
    return _reported(alignment, theirs) or (
        _clauses_are_mixed(alignment, ours, theirs) if statements < 2 else None
    )


def _statements(statement: Statement, parsed: Structure) -> int:
    """How many verbs with a subject the statement has, each with its auxiliaries."""
    places = sorted(parsed.finite)
    return (
        sum(not any(other in parsed.finite for other in range(place + 1, place + 4)) for place in places)
        if places
        else 0
    )


def _embedder_is_dropped(alignment: Alignment, verb: int, mine: int, theirs: Structure) -> Difference | None:
    """ "Locked" out of "forgot to lock"."""
    quote, claim = alignment.quote, alignment.claim
    to = _infinitive(quote, verb)
    if to is None or _infinitive(claim, mine) is not None:
        return None
    word = next((place for place in range(to - 1, -1, -1) if quote.tokens[place].is_content), None)
    if word is None or quote.tokens[word].segment != quote.tokens[verb].segment:
        return None
    person = theirs.phrase_of.get(word)
    if person is not None and word in alignment.to_claim and person.governor in theirs.verbs:
        word = person.governor  # "ordered" of "ordered the tenant to pay"
    if word in alignment.to_claim:
        return None
    said, told = quote.tokens[word].surface, claim.tokens[mine].surface
    return Difference(
        text=f"The quote says “{said} … to {quote.tokens[verb].surface}”, the claim “{told}”."
        if word != to - 1
        else f"The quote says “{said} to {quote.tokens[verb].surface}”, the claim “{told}”."
    )


def _infinitive(statement: Statement, verb: int) -> int | None:
    """The place of the "to" before the verb, adverbs and a "not" passed over."""
    for place in range(verb - 1, max(-1, verb - 3), -1):
        token = statement.tokens[place]
        if token.key == "to" and token.kind == "function":
            return place
        if not token.surface.endswith("ly") and token.key != "not":
            return None
    return None


def _auxiliary_is_dropped(alignment: Alignment, verb: int, mine: int, theirs: Structure) -> Difference | None:
    """ "Succeed" out of "may not benefit or succeed"."""
    tokens = alignment.quote.tokens
    joint = next(
        (place for place in range(verb - 1, max(-1, verb - 4), -1) if not _is_adverb(tokens[place].surface)),
        0,
    )
    if tokens[joint].key not in _COORDINATING or verb in _finite_forms(alignment.quote, theirs):
        return None
    first = next((other for other in range(joint - 1, -1, -1) if other in theirs.verbs), None)
    if first is None or theirs.clauses[first] != theirs.clauses[verb] or first in alignment.to_claim:
        return None
    for place in range(first - 1, max(-1, first - 4), -1):
        token = tokens[place]
        if token.family not in ("modality", "negation"):
            break
        ahead = alignment.claim.tokens[:mine]
        if not any(other.family == token.family and other.says & token.says for other in ahead):
            return Difference(text=f"The quote says “{token.surface}” of “{tokens[verb].surface}” as well.")
    return None


def _is_adverb(surface: str) -> bool:
    return surface.endswith("ly") or surface == "otherwise"


def _finite_forms(quote: Statement, theirs: Structure) -> set[int]:
    """Verbs that carry their own time: "rose", "covers"."""
    return {
        place for place in theirs.verbs if quote.tokens[place].surface.lower().endswith(("ed", "s", "ing"))
    }


def _subject_differs(
    alignment: Alignment, verb: int, mine: int, ours: Structure, theirs: Structure
) -> Difference | None:
    """The verb is told of something of which the quote does not say it."""
    tokens, quoted_tokens = alignment.claim.tokens, alignment.quote.tokens
    if mine not in ours.verbs or _infinitive(alignment.quote, verb) or _infinitive(alignment.claim, mine):
        return None
    if tokens[mine].surface.endswith("ing") or quoted_tokens[verb].surface.endswith("ing"):
        return None
    if _is_participle(alignment.quote, verb, theirs) or _is_participle(alignment.claim, mine, ours):
        return None
    if is_passive(alignment.claim, mine) != is_passive(alignment.quote, verb):
        return None
    claimed, quoted = subject(alignment.claim, mine, ours), subject(alignment.quote, verb, theirs)
    if not claimed or not quoted:
        return None
    told = {alignment.to_quote[place] for place in claimed if place in alignment.to_quote}
    keys = {alignment.quote.tokens[place].key for place in quoted}
    if not told or told & quoted or any(alignment.quote.tokens[place].key in keys - {""} for place in told):
        return None
    who = " ".join(alignment.quote.tokens[place].surface for place in sorted(quoted))
    return Difference(text=f"In the quote “{alignment.quote.tokens[verb].surface}” is said of “{who}”.")


def _is_participle(statement: Statement, verb: int, parsed: Structure) -> bool:
    """Whether it may be one: "a novel written by" behind another verb."""
    tokens, clause = statement.tokens, parsed.clauses[verb]
    if not is_past_form(tokens[verb].surface) or not tokens[verb - 1].is_content:
        return False
    earlier = [place for place in parsed.finite if place < verb and parsed.clauses[place] == clause]
    return bool(earlier) and not _has_own_subject(statement, verb, max(earlier), parsed)


def _has_own_subject(statement: Statement, verb: int, earlier: int, parsed: Structure) -> bool:
    """Whether it is told with its own subject behind another verb: "said that Jones resigned", "said Jones
    resigned".
    """
    tokens = statement.tokens
    if any(tokens[place].key == "that" for place in range(earlier + 1, verb - 1)):
        return True
    subject = parsed.phrase_of.get(verb - 1)
    by = verb + 1 < len(tokens) and tokens[verb + 1].key == AGENT
    return subject is not None and not subject.marker and tokens[verb - 1].capital and not by


def subject(statement: Statement, verb: int, parsed: Structure) -> set[int]:
    """Places of the nouns of which a verb is said, those joined by "and" included; empty if there is none."""
    phrases = [phrase for phrase in parsed.phrases if phrase.places[-1] < verb]
    clause, last = parsed.clauses[verb], verb
    while phrases:
        phrase = phrases.pop()
        between = statement.tokens[phrase.places[-1] + 1 : last]
        if parsed.depths[phrase.places[0]] > parsed.depths[verb]:
            last = phrase.start
            continue
        if parsed.clauses[phrase.places[0]] != clause:
            return set()
        if any(token.key in _RELATIVES and token.kind == "function" for token in between):
            return {place for other in (phrase, *phrases[-2:]) for place in other.places}
        if any(token.key in PRONOUNS - DETERMINERS and token.kind == "function" for token in between):
            return set()
        is_object = phrase.governor in parsed.verbs and not _opens_report(statement, phrase, verb)
        if not phrase.marker and not is_object and not phrase.is_date:
            return _with_joined(statement, phrase, phrases)
        last = phrase.start
    return set()


def _opens_report(statement: Statement, phrase: Phrase, verb: int) -> bool:
    """Whether it is the subject of what another verb tells: "confirmed that the general fled"."""
    if phrase.governor is None:
        return False
    between = statement.tokens[phrase.governor + 1 : phrase.places[0]]
    tells = statement.tokens[phrase.governor].key in FACTIVE and phrase.places[-1] == verb - 1
    return tells or any(token.key == "that" for token in between)


def _with_joined(statement: Statement, phrase: Phrase, before: list[Phrase]) -> set[int]:
    places = set(phrase.places)
    for other in reversed(before):
        between = statement.tokens[other.places[-1] + 1 : phrase.start]
        if not between or any(token.key not in _COORDINATING and token.surface != "," for token in between):
            break
        places |= set(other.places)
        phrase = other
    return places


def _reported(alignment: Alignment, theirs: Structure) -> Difference | None:
    """What stands behind "that" or "whether" is told without the word before it: "doubt that"."""
    tokens = alignment.quote.tokens
    for place, token in enumerate(tokens):
        opens = (token.key == "that" and token.kind == "function") or token.key == "whether"
        if not opens or not place or place + 1 >= len(tokens) or place + 1 in theirs.finite:
            continue
        word = tokens[reporter := _reporter(alignment.quote, place, theirs)]
        if not word.is_content or reporter in alignment.to_claim:
            continue
        if word.key in FACTIVE and not any(there in alignment.to_claim for there in range(reporter, place)):
            continue
        end = next(
            (there for there in range(place, len(tokens)) if tokens[there].segment != token.segment),
            len(tokens),
        )
        told = [there for there in range(place + 1, end) if there in alignment.to_claim]
        if told and any(there in theirs.finite for there in range(place + 1, end)):
            return Difference(
                text=f"The quote says “{word.surface} {token.surface}”, the claim leaves it out."
            )
    return None


def _reporter(quote: Statement, that: int, theirs: Structure) -> int:
    """The word before "that"; the verb before a date or a name between: "announced in 2020 that"."""
    phrase = theirs.phrase_of.get(that - 1)
    if phrase is None or phrase.verb is None:
        return that - 1
    return phrase.verb if phrase.is_date or quote.tokens[that - 1].capital else that - 1


def _clauses_are_mixed(alignment: Alignment, ours: Structure, theirs: Structure) -> Difference | None:
    """Words of two clauses with subjects of their own in a claim of one clause."""
    quoted: dict[int, list[int]] = {}
    for there in sorted(alignment.to_claim):
        quoted.setdefault(theirs.clauses[there], []).append(there)
    claimed = {ours.clauses[place] for place in alignment.to_quote}
    if len(claimed) >= len(quoted):
        return None
    ordered = sorted(quoted.items(), key=lambda item: len(item[1]))
    for clause, places in ordered[:-1]:
        verbs = [verb for verb in theirs.verbs & theirs.finite if theirs.clauses[verb] == clause]
        if any(verb in alignment.to_claim for verb in verbs):
            continue
        if not _is_resolved(alignment, places, ordered[-1][0], theirs):
            word, rest = alignment.quote.tokens[places[0]], alignment.quote.tokens[ordered[-1][1][0]]
            return Difference(
                text=f"In the quote “{word.surface}” and “{rest.surface}” stand in different statements."
            )
    return None


def _is_resolved(alignment: Alignment, places: list[int], clause: int, theirs: Structure) -> bool:
    """Whether the words only name what a pronoun of the other clause stands for, or stand there as well."""
    tokens = alignment.quote.tokens
    inside = [token for token, number in zip(tokens, theirs.clauses, strict=True) if number == clause]
    keys = {token.key for token in inside if token.is_content}
    has_pronoun = any(
        token.kind == "function" and token.key in PRONOUNS | {"its", "their", "his", "her"}
        for token in inside
    )
    if all(tokens[place].key in keys and tokens[place].key for place in places):
        return True
    phrases = {theirs.phrase_of[place].start for place in places if place in theirs.phrase_of}
    return has_pronoun and len(phrases) == 1 and not any(place in theirs.verbs for place in places)
