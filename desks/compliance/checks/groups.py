"""The requirements of a framework in groups that fit a page: articles within chapters. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from desks.compliance.models import Requirement


@dataclass(slots=True, kw_only=True)
class Group:
    """A node with a title, and the requirements below it that have no nearer one."""

    head: Requirement
    members: list[Requirement] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Chapter:
    """A node at the top of the tree and the groups below it."""

    head: Requirement
    groups: list[Group] = field(default_factory=list)

    @property
    def members(self) -> list[Requirement]:
        return [row for group in self.groups for row in group.members]


def chapters_of(requirements: Sequence[Requirement]) -> list[Chapter]:
    """Of all requirements in order; chapters and groups without anything to assess are left out."""
    chapters: list[Chapter] = []
    stack: list[Requirement] = []
    groups: dict[int, Group] = {}
    for row in requirements:
        del stack[row.depth :]
        if not stack:
            chapters.append(Chapter(head=row))
        stack.append(row)
        if not row.is_assessable:
            continue
        head = _head(stack)
        if head.pk not in groups:
            groups[head.pk] = Group(head=head)
            chapters[-1].groups.append(groups[head.pk])
        groups[head.pk].members.append(row)
    return [chapter for chapter in chapters if chapter.groups]


def _head(stack: Sequence[Requirement]) -> Requirement:
    """The nearest node above that has a title and is not assessed itself, else the chapter."""
    titled = (row for row in reversed(stack[:-1]) if row.title and not row.is_assessable)
    return next(titled, stack[0])
