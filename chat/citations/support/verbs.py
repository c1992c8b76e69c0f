"""Which words of a statement are verbs, by their form and by the words around them."""

from chat.citations.support.grammar import BE, DETERMINERS, PREPOSITIONS, PRONOUNS
from chat.citations.support.statement import Statement, Token
from text.lexicon import is_past_form, verb_reading
from text.word_lists import words

HAVE, DO = words("has have had having"), words("do does did")
RELATIVES = words("who which that whom")
JOINTS = words("and or nor and/or but")
MARKERS = PREPOSITIONS | words("of to with by than like behind around along pending regarding concerning")
MARKING = words("time reason condition")  # operators that stand over a phrase as prepositions do
NEAR = 60  # tokens before a word in which its subject is sought
_MODALS = words("may might must shall should will would can could cannot")
_OPENING = words("who which that and but or while whereas because if when where")
_NO_ADVERBS = words(
    """early supply reply family assembly anomaly monopoly july italy ally daily weekly monthly quarterly
    yearly likely only friendly costly elderly timely orderly"""
)
# Participles that commonly stand before a noun: "fixed rate notes".
_ADJECTIVAL = words(
    """fixed written limited based related combined advanced secured unsecured deferred restricted accrued
    adjusted diluted estimated unearned earned consolidated continued controlled listed registered weighted
    valued"""
)


def verbs_of(statement: Statement) -> set[int]:
    verbs: set[int] = set()
    for place in statement.content:
        if _is_verb(statement, place, verbs):
            verbs.add(place)
    return verbs


def _is_verb(statement: Statement, place: int, verbs: set[int]) -> bool:
    token = statement.tokens[place]
    at = _before(statement, place)
    if at is None or token.quantity or token.capital:
        return False
    told = _told_by_word_before(statement, place, at)
    return _told_by_place(statement, place, at, verbs) if told is None else told


def _told_by_word_before(statement: Statement, place: int, at: int) -> bool | None:
    """Whether an auxiliary, a pronoun, an article or the like before the word tells that it is a verb, or its
    own form does; None where neither tells.
    """
    before, low = statement.tokens[at], statement.tokens[place].surface.lower()
    behind = _behind(statement, place)
    reading, past = verb_reading(low), is_past_form(low) or low.endswith("ed")
    if before.surface.lower() in _MODALS:
        return True
    if not reading and not past and before.key not in RELATIVES:
        return False
    if before.family == "modality" or before.key in DO:
        return True
    if _is_asked_or_supposed(statement, at):
        return bool(reading)
    if before.key == "to" or (before.kind == "operator" and before.key.endswith(" to")):
        has_object = behind is not None and behind.key in DETERMINERS
        return not low.endswith(("ing", "ed", "s")) and (reading == "mostly" or has_object)
    if before.key in BE or before.key in HAVE:
        return past or low.endswith("ing")
    if before.key in RELATIVES and _is_s_form(low):
        return True
    if before.key in RELATIVES or before.key in PRONOUNS - DETERMINERS:
        return not low.endswith("ing")
    if before.key in DETERMINERS or (before.kind == "function" and before.key in MARKERS):
        return False
    if before.kind == "operator":
        return past
    if past:
        return low not in _ADJECTIVAL or behind is None or not behind.is_content
    if low.endswith("ing") and before.is_content and reading == "mostly":
        return behind is not None and behind.key in DETERMINERS
    if low.endswith("ing") or reading != "mostly":
        return False
    return None


def _told_by_place(statement: Statement, place: int, at: int, verbs: set[int]) -> bool:
    """Whether a word that is mostly a verb, behind a comma, a joint or a noun, stands where one would."""
    tokens = statement.tokens
    token, before, behind = tokens[place], tokens[at], _behind(statement, place)
    low = token.surface.lower()
    if before.kind == "punctuation" or before.key in JOINTS:
        if _is_s_form(low):
            return (
                behind is not None
                and not (behind.is_content and not behind.quantity)
                and behind.key not in BE
            )
        takes_object = behind is not None and (behind.is_content or behind.key in DETERMINERS)
        ends = behind is None or behind.kind == "punctuation"
        if ends and not any(other.family == "modality" for other in tokens[max(0, at - 12) : at]):
            return False
        return (takes_object or ends) and any(tokens[verb].segment == token.segment for verb in verbs)
    if not before.is_content or at in verbs or before.surface.endswith(("'s", "s'")):
        return False
    if not _may_be_subject(statement, at, verbs):
        return False
    if _is_s_form(low):
        return not _is_s_form(before.surface) and (behind is None or behind.key not in JOINTS)
    return _is_s_form(before.surface) and (behind is None or not behind.is_content)


def _behind(statement: Statement, place: int) -> Token | None:
    return statement.tokens[place + 1] if place + 1 < len(statement.tokens) else None


def _is_asked_or_supposed(statement: Statement, place: int) -> bool:
    """Whether the noun is the subject of "should the tenant fail"."""
    for there in range(place, max(-1, place - 5), -1):
        token = statement.tokens[there]
        if token.family == "condition" and token.key == "if" and token.surface.lower() != "if":
            return True
        if not token.is_content and token.key not in DETERMINERS:
            return False
    return False


def _is_s_form(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "'s"))


def _may_be_subject(statement: Statement, place: int, verbs: set[int]) -> bool:
    """Whether no verb stands before the noun in its clause, which it would be an object of."""
    tokens = statement.tokens
    for there in range(place, max(-1, place - NEAR), -1):
        token = tokens[there]
        if token.segment != tokens[place].segment or token.kind == "punctuation" or token.key in _OPENING:
            return True
        if token.family in MARKING:
            return True
        is_auxiliary = token.key in BE or token.key in HAVE or token.key in DO or token.family == "modality"
        if there in verbs or is_auxiliary or token.surface.endswith("ing"):
            return False
    return True


def _before(statement: Statement, place: int) -> int | None:
    """The token before a word, adverbs and "not" passed over; None at the beginning of a sentence."""
    for there in range(place - 1, -1, -1):
        token = statement.tokens[there]
        if token.segment != statement.tokens[place].segment:
            return None
        passes = is_adverb(token) or token.key in ("also", "then", "each", "not")
        if not passes:
            return there
    return None


def is_finite(statement: Statement, place: int, verbs: set[int]) -> bool:
    token = statement.tokens[place]
    if token.kind == "function":
        return token.key in BE - {"been", "being", "be", "am"} or token.key in HAVE - {"having"} | DO
    if token.family == "modality":
        return True
    before = statement.tokens[place - 1].key if place else ""
    is_bare = before != "to" and before not in BE and before not in HAVE
    return place in verbs and is_bare and not token.surface.endswith("ing")


def is_adverb(token: Token) -> bool:
    return token.surface.endswith("ly") and token.surface.lower() not in _NO_ADVERBS
