"""A name that nobody has taken."""

from collections.abc import Iterable
from itertools import count


def free_name(name: str, taken: Iterable[str], longest: int | None = None) -> str:
    """The name, or with a number behind it: “All documents (2)”. Letter case makes no difference.

    longest: characters that it may have; the number takes the place of its end.
    """
    known = {each.casefold() for each in taken}
    ends = ("" if number == 1 else f" ({number})" for number in count(1))
    names = (f"{name[: longest and longest - len(end)]}{end}" for end in ends)
    return next(each for each in names if each.casefold() not in known)
