"""The classes of words to which English adds none: each once, for whoever reads sentences."""

from collections.abc import Iterable

from text.word_lists import words

BE = words("is are was were")
FORMS_OF_BE = BE | words("be been being am")
HAVE = words("has have had")
DO = words("does do did")
MODALS = words("shall must may will can should would might could")
AUXILIARIES = BE | HAVE | DO | MODALS  # in front of which a question puts its subject

ARTICLES = words("the a an")
DEMONSTRATIVES = words("this that these those")
POSSESSIVES = words("its their our his her")
DETERMINERS = ARTICLES | DEMONSTRATIVES | POSSESSIVES
PREPOSITIONS = words(
    "by to for from with in on at as under of into about against between over through upon within"
)
SUBJECT_PRONOUNS = words("he she it they we you i")
THIRD_PERSON = words("he him his she her it its they them their")  # stand for what was said before
PRONOUNS = (
    SUBJECT_PRONOUNS
    | THIRD_PERSON
    | words("me my us our ours your yours hers theirs himself herself itself ourselves")
)
QUESTION_WORDS = words("what which who whom whose when where why how")
NEGATIONS = words("not no never none neither nor nobody nothing without cannot")


def one_of(*classes: Iterable[str]) -> str:
    """Any word of the classes, as a pattern; the longer ones first."""
    return rf"(?:{'|'.join(sorted({word for each in classes for word in each}, key=lambda w: (-len(w), w)))})"
