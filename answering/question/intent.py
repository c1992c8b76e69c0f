"""What kind of question it is, told by its form and by its words. It tunes how an answer is written and never
what is searched. Pure.
"""

import re
import tomllib
from enum import StrEnum
from functools import cache
from pathlib import Path

from answering.question.own_words import greeting_reply
from text.prompt import render

PROMPTS = Path(__file__).parent.parent / "prompts" / "intents"


class Intent(StrEnum):
    """`value` is also the name of the prompt that says how to write such an answer."""

    FACTUAL = "factual"
    COMPARISON = "comparison"
    EXPLANATION = "explanation"
    AGGREGATION = "aggregation"
    PROCEDURAL = "procedural"
    CLARIFICATION = "clarification"
    CHITCHAT = "chitchat"
    OUT_OF_SCOPE = "out_of_scope"
    OPINION = "opinion"
    TEMPORAL = "temporal"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ").capitalize()


_SIGNS = tomllib.loads((Path(__file__).parent / "intents.toml").read_text(encoding="utf-8"))
DOCUMENTS: str = _SIGNS["words"]["DOCUMENTS"]  # a pattern for what people call them
_FORMS = tuple(
    (
        Intent(sign["intent"]),
        re.compile("|".join(sign["any"]).replace("DOCUMENTS", DOCUMENTS), re.IGNORECASE),
    )
    for sign in _SIGNS["form"]
)
_BY_KEYWORD = {word: Intent(name) for name, listed in _SIGNS["keywords"].items() for word in listed.split()}
_WORD = re.compile(r"[^\W\d_]+")


def by_form(question: str) -> Intent | None:
    """The first tier: how the question is put."""
    if greeting_reply(question):
        return Intent.CHITCHAT
    return next((intent for intent, form in _FORMS if form.search(question)), None)


def by_keywords(question: str) -> Intent | None:
    """The second tier: which kind most of its telling words belong to; None where none tells, or two tie."""
    counts: dict[Intent, int] = {}
    for word in _WORD.findall(question.lower()):
        if intent := _BY_KEYWORD.get(word):
            counts[intent] = counts.get(intent, 0) + 1
    best = sorted(counts, key=lambda intent: -counts[intent])
    if not best or (len(best) > 1 and counts[best[0]] == counts[best[1]]):
        return None
    return best[0]


@cache
def tone(intent: Intent) -> str:
    """How an answer to such a question is written, for the model that writes it."""
    return render(PROMPTS / f"{intent}.md").strip()
