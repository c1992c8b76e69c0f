"""The questions within a question: "Who pays for repairs, and when is the rent due?" is two."""

import re
from dataclasses import dataclass

from text.languages import small_words
from text.words import tokens

LONGEST = 2000  # characters of a question; a longer text is no question
FEW_WORDS = 3  # with content: a part with fewer of them leans on the others, unless it names something

_NAMES_SOMETHING = re.compile(r"[“”\"„«»]|\d|(?<=\s)[^\W\d_a-zß-öø-ÿ]\w+")
_SENTENCES = re.compile(r"(?<=[?？])\s*(?=\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    """`between`: what joins two questions. asking: what makes a text a question. points_back: words that mean
    something said before.
    """

    code: str
    between: re.Pattern[str]
    asking: re.Pattern[str]
    points_back: re.Pattern[str]


def _language(code: str, joining: str, prepositions: str, asking: str, verbs: str, back: str) -> _Language:
    """From words with "|" between them. Verbs begin a question that asks for yes or no."""
    begin = rf"(?:(?:(?:{prepositions})\s+)?(?:{asking})|{verbs})\b"
    return _Language(
        code=code,
        between=re.compile(rf"(?:[,;]\s*|\s)(?:{joining})\s+(?={begin})", re.IGNORECASE),
        asking=re.compile(rf"\b(?:{asking})\b|^\W*(?:{verbs})\b", re.IGNORECASE),
        points_back=re.compile(rf"\b(?:{back})\b", re.IGNORECASE),
    )


_LANGUAGES = (
    _language(
        "en",
        "and|or|but",
        "by|in|at|for|from|to|of|on|with|since|until",
        "what|how|when|where|who|whom|whose|why|which",
        "did|do|does|is|are|was|were|has|have|can|may|must|will",
        "it|its|they|them|their|he|she|him|his|her|this|that|these|those|there|then|one|ones|so",
    ),
    _language(
        "de",
        "und|oder|aber",
        "bis|seit|ab|von|zu|für|mit|bei|in|an|auf|durch|um",
        "was|wie|wieviele?|wann|wo|wohin|woher|wer|wem|wen|wessen|warum|weshalb|welche[rsmn]?",
        "ist|sind|war|waren|hat|haben|kann|können|darf|dürfen|muss|müssen|gilt|gelten|wird|werden",
        "er|sie|es|ihn|ihm|ihr|ihre[rsmn]?|sein|seine[rsmn]?|diese[rsmn]?|dies|dessen|deren|dort|dann|dabei|davon|dafür|damit",
    ),
    _language(
        "fr",
        "et|ou|mais",
        "à|de|en|par|pour|avec|depuis|dans|sur",
        "qui|que|quoi|quels?|quelles?|comment|quand|où|pourquoi|combien|est-ce",
        "est|sont|ont|peut|peuvent|doit|doivent",
        "il|elle|ils|elles|lui|leurs?|son|sa|ses|ce|cet|cette|ces|cela|celui|celle",
    ),
    _language(
        "es",
        "y|e|o|pero",
        "a|de|en|por|para|con|desde|hasta|sobre",
        "qué|quién|quiénes|cuál|cuáles|cómo|cuándo|dónde|cuántos?|cuántas?|cuánto",
        "es|son|está|están|puede|pueden|debe|deben|hay",
        "él|ella|ellos|ellas|lo|su|sus|este|esta|estos|estas|ese|esa|eso|esto|allí",
    ),
    _language(
        "it",
        "e|ed|o|ma",
        "a|di|in|per|con|da|su",
        "chi|che|cosa|quale|quali|quando|come|dove|perché|quant[oaie]",
        "è|sono|ha|hanno|può|possono|deve|devono",
        "esso|essa|essi|lui|lei|loro|suo|sua|suoi|sue|questo|questa|questi|queste|quello|quella|ciò|ne|vi",
    ),
)


def parts(question: str) -> list[str]:
    """The questions that a question is made of, each of which says by itself what it is about.

    None where there are not two of them, or one leans on another.
    """
    asked = " ".join(question[: LONGEST + 1].split())
    if len(asked) > LONGEST:
        return []
    words = tokens(asked)
    language = max(_LANGUAGES, key=lambda each: sum(word in small_words(each.code) for word in words))
    found = [part for sentence in _SENTENCES.split(asked) for part in _joined(sentence, language)]
    return found if len(found) > 1 and all(_stands_alone(part, language) for part in found) else []


def _joined(sentence: str, language: _Language) -> list[str]:
    """The questions that a sentence joins; not clauses about one thing: "who is known for, and who wrote"."""
    found = [""]
    start = 0
    for joint in language.between.finditer(sentence):
        before = sentence[start : joint.start()]
        following = tokens(sentence[joint.end() :])[:1]
        if following and following[0] in tokens(before)[1:]:
            continue
        found[-1] = before
        found.append("")
        start = joint.end()
    found[-1] = sentence[start:]
    return [part.strip(" ,;") for part in found if part.strip(" ,;")]


def _stands_alone(part: str, language: _Language) -> bool:
    if language.points_back.search(part) or not language.asking.search(part):
        return False
    telling = [word for word in tokens(part) if word not in small_words(language.code)]
    return len(telling) >= FEW_WORDS or bool(telling and _NAMES_SOMETHING.search(part))
