"""Notices a model that goes round in circles: white space without an end, or the same words over and over."""

import re

LEAST = 240  # characters of a repetition; a rule of a table or a leader of dots is shorter
ROUNDS = 7  # how often the same words come before they are a loop
LONGEST_ROUND = 400  # characters
LOOKED_AT = ROUNDS * LONGEST_ROUND
_NUMBER = re.compile(r"\d")


def loop_in(text: str) -> int | None:
    """Where the text begins to repeat itself up to its end, behind the first round; None if it does not.

    Digits count as alike, so that a numbered list of one and the same item is a loop.
    """
    tail = _NUMBER.sub("0", text[-LOOKED_AT:])
    for length in _rounds(tail):
        start = len(tail) - length
        while start > 0 and tail[start - 1] == tail[start - 1 + length]:
            start -= 1
        repeated = len(tail) - start
        if repeated >= max(LEAST, ROUNDS * length):
            return len(text) - repeated + length
    return None


def _rounds(tail: str) -> list[int]:
    """How long a round may be: the distances from the last words to where they stood before."""
    last, at = tail[-12:], len(tail) - 12
    found: list[int] = []
    if at <= 0:
        return []
    while (at := tail.rfind(last, 0, at + len(last) - 1)) >= 0 and len(found) < 40:
        distance = len(tail) - len(last) - at
        if distance > LONGEST_ROUND:
            break
        found.append(distance)
    return found


class Watch:
    """Looks at a growing text now and then, not with each piece."""

    def __init__(self) -> None:
        self._text = ""
        self._looked = 0
        self._length = 0

    def add(self, piece: str) -> bool:
        """Whether it has begun to loop."""
        self._text = (self._text + piece)[-LOOKED_AT:]
        self._length += len(piece)
        if self._length - self._looked < LEAST // 2:
            return False
        self._looked = self._length
        return loop_in(self._text) is not None
