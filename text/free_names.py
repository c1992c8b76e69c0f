"""A name that nobody has taken."""

from collections.abc import Iterable
from itertools import count


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, or with a number behind it: “All documents (2)”. Letter case makes no difference."""
    known = {each.casefold() for each in taken}
    names = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(each for each in names if each.casefold() not in known)
