"""The little grammar that the check needs: what stands under a preposition, what is passive, where
phrases begin.
"""

from chat.citations.support.statement import Statement
from text.word_lists import words

BE = words("is are was were be been being am")


PREPOSITIONS = words(
    """in on at during for as since by within until through after before under pursuant following with
    per because if unless when while although though upon throughout via despite from between among
    against to into over across out except subject notwithstanding onto above below off without toward
    towards"""
)


# Those that open a phrase of time, place, reason or condition, which may stand before or after the rest.
MOVABLE = words(
    """from in on at during for as since by within until through after before under pursuant following because
    if unless when while although though upon throughout despite except notwithstanding whether with"""
)


DETERMINERS = words("the a an its their our his her this that these those any such each every all no own")


PRONOUNS = words("it they we you he she i there this that these those")
AGENT = "by"


def is_passive(statement: Statement, place: int) -> bool:
    """Whether the word is a participle after a form of "be", which it may share: "are held and replaced"."""
    surface = statement.tokens[place].surface.lower()
    if surface.endswith("ing") or statement.tokens[place].quantity:
        return False
    if _follows_be(statement, place):
        return True
    if not surface.endswith(("ed", "en")) or not _is_joined(statement, place):
        return False
    tokens = statement.tokens
    for there in range(place - 1, -1, -1):
        if tokens[there].segment != tokens[place].segment:
            return False
        if tokens[there].surface.endswith(("ed", "en", "eld", "ept", "ent", "old", "ade", "aid")):
            return _follows_be(statement, there)
    return False


def _is_joined(statement: Statement, place: int) -> bool:
    """Whether "and", "or" or "but" stands before the word, with nothing but an adverb between."""
    for there in range(place - 1, max(-1, place - 3), -1):
        token = statement.tokens[there]
        if token.key in ("and", "or", "but"):
            return True
        if not token.surface.endswith("ly"):
            return False
    return False


def _follows_be(statement: Statement, place: int) -> bool:
    """Whether a form of "be" stands before the word, with nothing but adverbs between."""
    for there in range(place - 1, max(-1, place - 4), -1):
        token = statement.tokens[there]
        if token.key in BE and token.kind == "function":
            return True
        if (
            token.kind != "operator"
            and not token.surface.endswith("ly")
            and token.key not in ("been", "being", "also")
        ):
            return False
    return False


def preposition(statement: Statement, place: int) -> str:
    """What the word stands directly under, its articles and capitalised first names passed over."""
    for there in range(place - 1, max(-1, place - 4), -1):
        token = statement.tokens[there]
        if token.kind == "function" and token.key in PREPOSITIONS:
            return token.key
        if token.key not in DETERMINERS:
            return ""
    return ""


def opens_clause(statement: Statement, place: int) -> bool:
    """Whether the word begins a clause that a comma or the text's edge sets apart."""
    for there in range(place - 1, -1, -1):
        token = statement.tokens[there]
        if token.kind == "punctuation":
            return True
        if token.kind != "operator" and token.key not in DETERMINERS | PRONOUNS | BE | {"and", "but"}:
            return False
    return True


def closes_phrase(statement: Statement, place: int) -> bool:
    """Whether no further content follows the word directly, so that its phrase may end there."""
    return place + 1 >= len(statement.tokens) or not statement.tokens[place + 1].is_content


def opening_word(statement: Statement, place: int) -> str:
    """The word that opens the phrase in which a word comes first, articles passed over; empty for none
    of those.
    """
    for there in range(place - 1, max(-1, place - 5), -1):
        token = statement.tokens[there]
        if token.kind == "operator" and token.family in ("time", "condition", "reason"):
            return min(token.says)
        if token.key in MOVABLE and token.kind == "function":
            return token.key
        if token.key not in DETERMINERS | PRONOUNS and token.kind != "operator" and token.key != "of":
            return ""
    return ""


# Prepositions that can stand for one another.
_ALIKE = [
    words(group)
    for group in (
        "to into onto towards toward", "by through via with", "under pursuant per in",
        "in into within to", "for to of during in",
        "over during throughout in for", "of from", "over above", "under below", "at to", "on upon to",
        "between among",
        "from since", "with to", "for by with of", "after following upon since",
    )
]  # fmt: skip


def are_alike(one: str, other: str) -> bool:
    """Whether two prepositions, or none, may say the same."""
    return one == other or any({one, other} <= group for group in _ALIKE)
