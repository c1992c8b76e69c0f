"""The question that a conversation ends with: what is searched for, and its parts."""

import re
from dataclasses import dataclass

from chat.answering.extractive.words import stems

FEW_WORDS = 2  # a question with no more content words leans on the one before it

_AND = re.compile(
    r"[,;]?\s+and\s+(?=(?:what|how|when|where|who|why|which|did|do|does|is|are|was|were|has|have|can|may)\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|he|she|his|her|this|that|these|those)\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:compar\w*|differ\w*|chang\w*|versus|vs|both|before|old|new|previous\w*|original\w*|amend\w*|still|now)\b",
    re.IGNORECASE,
)
_BROAD = re.compile(
    r"\bover (?:time|the (?:last|past|years|quarters))\b|\btrends?\b"
    r"|\bfactors?\b|\bdrivers?\b|\baffect\w*|\bimpact\w*"
    r"|\brelat(?:e|ion)\w*|\bsummar\w+|\bdescribe\b|\bexplain\b|\boverview\b|\banaly[sz]e\b|\bexamine\b"
    r"|\bimplications?\b|\bsuggests?\b|\bindicates?\b|\broles?\b|\bbreakdown\b|\bcontribut\w+|\bcorrelat\w+"
    r"|\bsignificant\b|\bmajor\b|\b(?:risks|changes|details|developments|initiatives)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` is what is searched for; `asked` is the part that says which kind of answer is wanted."""

    text: str
    asked: str

    @classmethod
    def of(cls, asked: str, earlier: str) -> "Question":
        """A question of few words borrows those of the one before it: "and when does it end?"."""
        borrows = earlier and len(stems(asked)) <= FEW_WORDS
        return cls(text=f"{earlier} {asked}" if borrows else asked, asked=asked)

    @property
    def compares(self) -> bool:
        """Whether it asks for what two documents, or two times, say."""
        return bool(_COMPARES.search(self.asked))

    @property
    def is_broad(self) -> bool:
        """Whether no one sentence can be expected to answer it."""
        return bool(_BROAD.search(self.asked))

    @property
    def parts(self) -> "list[Question]":
        """The questions within the question, when there are several that stand alone."""
        asked = [part.strip() for part in _AND.split(self.text)]
        if len(asked) < 2 or any(len(stems(part)) < FEW_WORDS for part in asked):
            return []
        return [Question(text=self.text if _PRONOUN.search(part) else part, asked=part) for part in asked]
