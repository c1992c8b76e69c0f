"""Words that mean something else within a longer fixed phrase: “deposit” in “certificates of deposit”."""

import re
from collections import Counter
from collections.abc import Collection, Mapping

from answering.extractive.candidates import Candidate
from answering.extractive.words import stem, stems
from text.word_lists import words

FIXED = 2  # times that a document has a phrase which is fixed

# "Payment of rent" is about rent: so are nouns made of verbs, and those of measures.
_OF_IT = re.compile(r"\w+(?:ment|tion|sion|ance|ence|ing|al|ure|ee)s?", re.IGNORECASE)
_MEASURES = words(
    """amount sum rate date day month year period time cost price level number total part share half use lack
    loss right duty breach place kind type return rest value size length end start beginning instalment
    increase decrease change cap limit and or is copy case way lot pair pay most some all any each one"""
)


class Phrases:
    """Of a question's words, those phrases of each document in which they are not its own subject."""

    def __init__(self, question: str, texts: Mapping[str, Collection[str]]) -> None:
        self._asked = set(stems(question))
        self._fixed = {
            document: {phrase for phrase, count in self._counted("\n".join(each)).items() if count >= FIXED}
            for document, each in texts.items()
        }

    def only_have(self, part: Candidate) -> bool:
        """Whether some word of the question stands in the part within such phrases alone."""
        fixed = self._fixed.get(part.passage.document)
        if not fixed:
            return False
        own = Counter(stems(part.text))
        held: Counter[str] = Counter()
        for phrase, count in self._counted(part.text).items():
            held[phrase[1]] += count * (phrase in fixed)
        return any(count >= own[word] for word, count in held.items() if count)

    def _counted(self, text: str) -> Counter[tuple[str, str]]:
        """“Certificates of deposit”: the stems of the two nouns, the second of which is asked for."""
        found = re.findall(r"\b([^\W\d_]{3,})\s+of\s+([^\W\d_]+)", text)
        return Counter(
            (stem(head), stem(word))
            for head, word in found
            if stem(word) in self._asked
            and stem(head) not in self._asked
            and head.lower().removesuffix("s") not in _MEASURES
            and not _OF_IT.fullmatch(head)
        )
