"""How much a piece of text is worth as evidence (0 to 1), and what kind of text it is."""

import re
from itertools import pairwise

from text.normal_forms import spaceless
from text.word_lists import FUNCTION_WORDS
from text.words import COMPOUND

RICHNESS_WEIGHT, DENSITY_WEIGHT, COMPLETENESS_WEIGHT = 0.3, 0.4, 0.3
FULL_RICHNESS = 7.0  # distinct words over the root of all words, as good prose of 1,000 characters has it
FULL_DENSITY = 0.6  # share of informative words in good prose
FULL_INK = 0.9  # share of letters and figures among printed characters
_SENTENCE_END = re.compile(rf"[.!?](?=\W|$)|[{spaceless.ENDS}]")
_STARTS_WELL = re.compile(r"[\"'“‘(\[]*(?:[^\W_a-z]|[•◦▪●■–—*§-])")
_ENDS_WELL = re.compile(rf"[.!?:;{spaceless.ENDS}：][\"'{spaceless.CLOSING})\]]*$")
_FIGURE = re.compile(r"[($€£%\d][\d.,%$€£()]*$")
_MARKER = re.compile(r"\s*(?:[•◦▪●■\uf0b7*–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+\S")
_CELLS = re.compile(r"\S{8,}.*\t|\t.*\t")  # a tab behind a bullet or a number parts no cells
_CLAUSE_START = re.compile(
    r"\s*(?:(?:section|article|clause|paragraph|schedule|annex)\s+[\dIVX]+|§+\s*\d|\d{1,3}(?:\.\d{1,3})+\.?\s|"
    r"\d{1,3}\.\s|\([a-z\d]{1,4}\)\s|第[一二三四五六七八九十百零\d]+条)",
    re.IGNORECASE,
)
_OBLIGATION = re.compile(
    r"\b(?:shall|must|may not|agrees?|undertakes?|warrants?|is entitled|hereby|herein|means)\b|"
    r"应当|必须|不得|有权|承诺",
    re.IGNORECASE,
)
# A numbered line is a heading unless it demands something: "2.3 Geometric means". One that begins
# as a question does demands nothing: "3. What a proof must show".
_NUMBERED_LINE = re.compile(r"(?:\d{1,3}[.)]|\d{1,3}(?:\.\d{1,3})+[.)]?)\s+(?=[^\W\d_a-z])")
_BINDING = re.compile(
    r"\b(?:shall|may not|agrees? to|undertakes?|warrants?|is entitled|hereby|herein)\b|应当|不得|有权|承诺",
    re.IGNORECASE,
)
_DEMAND = re.compile(rf"{_BINDING.pattern}|\bmust\b|必须", re.IGNORECASE)
_AS_A_QUESTION = re.compile(r"(?:What|How|Why|When|Where|Who|Which|Whether)\b[^,:;]*$")
_DOT_LEADER = re.compile(r"(?:\. ?){5}\d*[ \t]*$", re.MULTILINE)
_BOILERPLATE = re.compile(
    r"all rights reserved|copyright|©|table of contents|this page (?:is )?intentionally|printed on|"
    r"confidential(?:ity notice)?[ ]*$|^[ ]*(?:page +)?\d+(?: +of +\d+)?[ ]*$",
    re.IGNORECASE | re.MULTILINE,
)
BOILERPLATE_WORDS = 40  # a longer text that mentions a copyright is about something else
HEADING_WORDS = 14
SENTENCE_WORDS = 6


def quality(text: str) -> float:
    """0.3 richness + 0.4 density + 0.3 completeness, each 0 to 1 as defined below."""
    words = _words(text)
    return (
        RICHNESS_WEIGHT * _richness(words)
        + DENSITY_WEIGHT * _density(text, words)
        + COMPLETENESS_WEIGHT * completeness(text)
    )


def vocabulary_richness(text: str) -> float:
    """min(1, d / sqrt(n) / 7): d distinct words among n words, case folded; 0 without words."""
    return _richness(_words(text))


def information_density(text: str) -> float:
    """min(1, i / n / 0.6) * min(1, k / p / 0.9); 0 without words.

    i of n words are no English function words and have a figure or at least three letters; k of p printed
    characters are letters or figures, so dot leaders and rules count against the text.
    """
    return _density(text, _words(text))


def completeness(text: str) -> float:
    """Whether the text stands alone: 0.4 if it begins like a sentence, 0.2 if it holds a whole sentence of
    six words or more, 0.4 if it ends like a sentence.
    """
    text = text.strip()
    return (
        0.4 * bool(_STARTS_WELL.match(text))
        + 0.2 * _has_sentence(text)
        + 0.4 * bool(_ENDS_WELL.search(text[-10:]))
    )


def kind(text: str) -> str:
    """One of boilerplate, table, heading, list, clause, prose: the first whose signs the text shows."""
    lines = [line for line in text.splitlines() if line.strip()]
    tokens = spaceless.parted(text).split()
    if _is_boilerplate(text, lines, tokens):
        return "boilerplate"
    if _is_table(lines, tokens):
        return "table"
    if _is_heading(text.strip(), lines, tokens):
        return "heading"
    if len(lines) >= 2 and sum(bool(_MARKER.match(line)) for line in lines) * 2 >= len(lines):
        return "list"
    if _CLAUSE_START.match(text) and _obliges(text):
        return "clause"
    return "prose"


def _obliges(text: str) -> bool:
    """Whether a sentence of it, and no question, says what must be done, what may be or what a word means.

    Under a heading the word "must" may stand in any explanation: there a third of the sentences say so, or
    one of them in the words of contracts.
    """
    first, _, rest = text.strip().partition("\n")
    is_under_heading = bool(rest) and _is_heading(first.strip(), [first], first.split())
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    sentences = [part for start, end in pairwise([0, *ends, len(text)]) if len(part := text[start:end]) > 5]
    saying = [each for each in sentences if _OBLIGATION.search(each) and not each.endswith("?")]
    if is_under_heading and not any(map(_BINDING.search, saying)):
        return len(saying) * 3 >= len(sentences)
    return bool(saying)


def _words(text: str) -> list[str]:
    return COMPOUND.findall(spaceless.parted(text).lower())


def _richness(words: list[str]) -> float:
    if not words:
        return 0.0
    return min(1.0, len(set(words)) / len(words) ** 0.5 / FULL_RICHNESS)


def _density(text: str, words: list[str]) -> float:
    if not words:
        return 0.0
    informative = [
        word
        for word in words
        if word not in FUNCTION_WORDS and (len(word) > 2 or word.isdigit() or spaceless.is_spaceless(word[0]))
    ]
    printed = len("".join(text.split()))
    ink = len("".join(words)) / printed
    return min(1.0, len(informative) / len(words) / FULL_DENSITY) * min(1.0, ink / FULL_INK)


def _has_sentence(text: str) -> bool:
    return any(spaceless.count_words(part) >= SENTENCE_WORDS for part in _SENTENCE_END.split(text)[:-1])


def _is_boilerplate(text: str, lines: list[str], tokens: list[str]) -> bool:
    if not any(token.isalnum() or any(map(str.isalnum, token)) for token in tokens):
        return True
    if len(_DOT_LEADER.findall(text)) * 2 >= len(lines):
        return True
    return len(tokens) <= BOILERPLATE_WORDS and bool(_BOILERPLATE.search(text))


def _is_table(lines: list[str], tokens: list[str]) -> bool:
    """Several lines, and half of them are parted into cells, or figures make up a third of it."""
    if len(lines) < 3:
        return False
    rows = sum(bool(_CELLS.search(line)) for line in lines)
    return rows * 2 >= len(lines) or sum(bool(_FIGURE.match(token)) for token in tokens) * 3 >= len(tokens)


def _is_heading(text: str, lines: list[str], tokens: list[str]) -> bool:
    if (
        len(lines) > 2
        or len(tokens) > HEADING_WORDS
        or text.endswith((".", ";", ",", "?", "!", "，", *spaceless.ENDS))
    ):
        return False
    if len(lines) == 1 and (number := _NUMBERED_LINE.match(text)):
        named = text[number.end() :]
        if not _DEMAND.search(named) or _AS_A_QUESTION.match(named):
            return True
    letters = [token for token in tokens if token[0].isalpha() and token.lower() not in FUNCTION_WORDS]
    return sum(not token[0].islower() for token in letters) * 2 >= len(letters)
