"""The names that a document's headings define, found wherever its passages write them."""

import re
from collections.abc import Iterable, Iterator, Sequence

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


class DefinedNames:
    """Looks words up in a set: a pattern of all names would try each of them at each word of each passage."""

    def __init__(self, names: Iterable[str]) -> None:
        """`names` are parted by single spaces; a text may write any white space for one."""
        self._names = frozenset(names)
        self._longest: dict[str, int] = {}  # of the names that begin with a token: the most tokens
        for name in self._names:
            tokens = _TOKEN.findall(name)
            self._longest[tokens[0]] = max(len(tokens), self._longest.get(tokens[0], 0))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where names stand, in order, none within another; of several that begin together the longest."""
        ends = [match.end() for match in _TOKEN.finditer(text)]
        starts = [0, *ends]
        tokens = [text[start:end] for start, end in zip(starts, ends, strict=False)]
        place = 0
        while place < len(tokens):
            if behind := self._end(tokens, place):
                yield starts[place], starts[behind]
            place = behind or place + 1

    def _end(self, tokens: Sequence[str], place: int) -> int:
        """The place behind the longest name that begins at `place`; 0 where none does."""
        longest = self._longest.get(tokens[place], 0)
        if not longest or (place and _is_word(tokens[place - 1])):
            return 0
        end, name = 0, ""
        for behind, token in enumerate(tokens[place : place + longest], place + 1):
            name += " " if token.isspace() else token
            if name in self._names and not (behind < len(tokens) and _is_word(tokens[behind])):
                end = behind
        return end


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_"
