"""The branches of a conversation: an edited or repeated question is another version of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chat.models import Conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class Branches:
    """Which turn follows which, by number; `before` has 0 for those that begin the conversation."""

    before: Mapping[int, int]

    def path(self, through: int | None = None) -> list[int]:
        """The turns from the first to the newest of one branch: that of the newest turn, or of the newest
        that has `through` before it where there is such a turn.
        """
        if through not in self.before:
            through = None
        for last in sorted(self.before, reverse=True):
            path = self._up_to(last)
            if through is None or through in path:
                return path
        return []

    def versions(self, number: int) -> list[int]:
        """The turns that stand at the same place, in the order in which they were asked."""
        return sorted(other for other, before in self.before.items() if before == self.before[number])

    def earlier(self, number: int) -> Sequence[int]:
        """The turns before this one in its branch, the first one first."""
        return self._up_to(number)[:-1]

    def _up_to(self, number: int) -> list[int]:
        """Each step goes back: rows that name each other would lead round in a circle."""
        path = [number] if number in self.before else []
        while path and (before := self.before[path[-1]]) in self.before and before < path[-1]:
            path.append(before)
        return path[::-1]


def branches_of(conversation: Conversation, until: int | None = None) -> Branches:
    """As they are now; with `until`, as they were when that was the newest question."""
    turns = conversation.turns.all() if until is None else conversation.turns.filter(number__lte=until)
    return Branches(before=_before(turns.values_list("number", "after").order_by("number")))


def _before(rows: Iterable[tuple[int, int | None]]) -> dict[int, int]:
    before: dict[int, int] = {}
    last = 0
    for number, after in rows:
        before[number] = last if after is None else after
        last = number
    return before
