"""Names that nobody has taken."""

from collections import defaultdict
from collections.abc import Iterable


class FreeNames:
    """Gives out names, each once: letter case makes no difference. Thousands of one name take linear time."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {name.casefold() for name in taken}
        self._tried: defaultdict[str, int] = defaultdict(lambda: 1)  # the last number behind a name

    def take(self, name: str, longest: int | None = None) -> str:
        """The name, or with a number behind it: “All documents (2)”.

        longest: characters that it may have; the number takes the place of its end.
        """
        free = name[:longest]
        while free.casefold() in self._taken:
            self._tried[name.casefold()] += 1
            end = f" ({self._tried[name.casefold()]})"
            free = f"{name[: longest and longest - len(end)]}{end}"
        self._taken.add(free.casefold())
        return free


def free_name(name: str, taken: Iterable[str], longest: int | None = None) -> str:
    """One name beside these: see `FreeNames.take`."""
    return FreeNames(taken).take(name, longest)
