"""The interface of models that read a question and sentences together and say whether these answer it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class AnswerReader(Protocol):
    """Sync and safe to share between threads."""

    def scores(self, question: str, sentences: Sequence[tuple[str, str]]) -> list[float]:
        """Of each sentence, given behind its heading: log odds that it answers, against that nothing does."""
        ...
