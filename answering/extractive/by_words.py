"""Sentences ranked by the words of a question in another language than English.

The weights, and the model of meaning that comes with SVQ, know English alone. Of other languages there are
stems, the letters that German compounds share with their parts, pairs of Chinese letters, and figures.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from answering.extractive.candidates import Candidate
from text.figures import FigureKind, figures
from text.language import is_english
from text.languages import asking_words, language_of, language_of_question, small_words
from text.search.search_terms import terms
from text.word_lists import words as listed

RANKED = 12  # sentences
GRAM = 5  # letters that two words must share to be akin: "Kündigungsfrist" and "Frist", "gekündigt"
AKIN = 0.6  # of a word's letters: a text with so many of them has the word
HEADING = 0.6  # what a word counts that stands in the heading or title alone
MISSING = 0.6  # what is left of the sureness of a sentence without the kind of figure that is asked for
SCALE = 4.0  # of scores, which are compared with those of `choice`
READ = 4_000  # characters that tell the language of the documents
_ASKED = re.compile(
    r"是?(?:什么时候|多少钱|多少|多长|多久|什么|何时|哪[一个里些天家]?|谁|几|如何|怎么|为什么)|[是的了吗呢]|需要|请问"
)
# Beside those that tell a language.
_WITHOUT_MEANING = listed(
    """hoch lang lange viel viele groß oft sind war hat haben muss müssen kann können darf dürfen soll
    sollen werden nach bei bis ab um vor über unter an am aus zum zur einer eines einem einen vom ich
    wir sie ihr man er so denn doit doivent peut peuvent faut ont avoir être cette ces cet leur leurs
    son sa ses aux chez sous vers elle debe deben puede pueden tiene tienen hay sobre entre hasta desde
    ser está están este esta estos estas في من على إلى عن هو هي ما ماذا متى كم هل أين كيف لماذا التي
    الذي"""
)
_KINDS = (
    (
        re.compile(
            r"\bwie lang|\bfrist|\bdauer|\bwie viele (?:tage|wochen|monate|jahre|stunden)"
            r"|\bdurée|\bdélai|combien de (?:temps|jours|mois|ans)|\bpréavis"
            r"|\bplazo|\bduración|cu[aá]nto tiempo|多长|多久|多少天|几天|期限|\bمدة|كم يوم",
            re.IGNORECASE,
        ),
        (FigureKind.SPAN, FigureKind.DATE),
    ),
    (
        re.compile(
            r"\bwann\b|\bdatum\b|\bquand\b|\bdate\b|\bcu[aá]ndo\b|\bfecha\b|什么时候|何时|哪天|日期|متى|تاريخ",
            re.IGNORECASE,
        ),
        (FigureKind.DATE, FigureKind.SPAN),
    ),
    (
        re.compile(
            r"\bwie ?viele?\b|\bwie hoch\b|\bbetrag\b|\bkostet"
            r"|\bcombien\b|\bmontant\b|\bprix\b|\bloyer\b|\bcu[aá]nt[oa]s?\b|\bimporte\b|\bprecio\b|多少|金额|费用|كم\b|مبلغ",
            re.IGNORECASE,
        ),
        (FigureKind.SUM, FigureKind.NUMBER, FigureKind.SPAN),
    ),
)


def language_asked_in(question: str, parts: Sequence[Candidate]) -> str:
    """ISO 639-1 of a question that is ranked by its words; empty where it is English, or where no document is
    in its language.
    """
    there = language_of(" ".join(part.text for part in parts)[:READ])
    asked = language_of_question(question) or ("" if is_english(question) else there)
    if asked in ("", "en"):
        return ""
    own = any(language_of(text) == asked for text in {part.passage.text for part in parts})
    return asked if own or there == asked else ""


def ranked_by_words(question: str, language: str, parts: Sequence[Candidate]) -> list[Candidate]:
    """Those that have words of the question, the fittest first."""
    words = _asked_words(question, language)
    kind = kinds_asked(question)
    measured = [_measured(part, words, language) for part in parts]
    weights = _weights(words, [each.text for each in measured])
    total = sum(weights.values()) or 1.0
    scored = []
    for part, each in zip(parts, measured, strict=True):
        covered = sum(weight * each.covers(word) for word, weight in weights.items()) / total
        if not covered or not any(each.text.values()):
            continue
        fits = not kind or any(figure.kind in kind for figure in figures(part.text))
        sure = covered if fits else covered * MISSING
        scored.append(replace(part, score=SCALE * sure, sure=sure))
    return sorted(scored, key=lambda part: -part.score)[:RANKED]


def kinds_asked(question: str) -> tuple[FigureKind, ...]:
    """The kinds of figures that may answer it, the likeliest first; empty where it asks for none."""
    return next((fits for asks, fits in _KINDS if asks.search(question)), ())


def covered(question: str, language: str, text: str) -> float:
    """The share of the question's words that a text has, 0 to 1."""
    words, has = _asked_words(question, language), _words_of(text, language)
    return sum(_share(word, has) for word in words) / max(1, len(words))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """How much of each word of the question the sentence has, and what stands above it, 0 to 1."""

    text: Mapping[str, float]
    above: Mapping[str, float]

    def covers(self, word: str) -> float:
        return max(self.text[word], HEADING * self.above[word])


def _measured(part: Candidate, words: Sequence[str], language: str) -> _Measured:
    text = _words_of(part.text, language)
    above = _words_of(f"{part.passage.document} {part.around}", language)
    return _Measured(
        text={word: _share(word, text) for word in words}, above={word: _share(word, above) for word in words}
    )


def _weights(words: Sequence[str], texts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Words that few sentences have count more."""
    counts = Counter(word for text in texts for word, share in text.items() if share >= AKIN)
    return {word: math.log(1 + len(texts) / (counts[word] + 0.5)) for word in words}


def _asked_words(question: str, language: str) -> list[str]:
    """Its words with a meaning, as stems, or pairs of letters; each once."""
    small = small_words(language) | asking_words(language) | _WITHOUT_MEANING
    said = _ASKED.sub(" ", question).split()
    bare = [word for word in said if word.strip("?!.,;:¿¡»«„“؟").lower() not in small]
    return list(dict.fromkeys(terms(" ".join(bare), language)))


@lru_cache(maxsize=2048)
def _words_of(text: str, language: str) -> frozenset[str]:
    return frozenset(terms(text, language))


def _share(word: str, words: frozenset[str]) -> float:
    """How much of the word stands in the text: 1 where it does, else the part of its letters that it shares
    with others, five or more in a row.
    """
    if word in words:
        return 1.0
    grams = _grams(word)
    if not grams:
        return 0.0
    there = frozenset[str]().union(*map(_grams, words))
    covered = {
        place + at
        for place in range(len(word) - GRAM + 1)
        if word[place : place + GRAM] in there
        for at in range(GRAM)
    }
    return len(covered) / len(word)


@lru_cache(maxsize=65_536)
def _grams(word: str) -> frozenset[str]:
    return frozenset(word[place : place + GRAM] for place in range(len(word) - GRAM + 1))
