"""The part of a framework that is checked, named as people name it: “Article 30”, “30.2”, “Art. 30(2)(b)”."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from desks.compliance.frameworks.services import subtree
from desks.compliance.models import Framework, Requirement

_ARTICLE = re.compile(r"^(?:articles?|art\.?|§+|clause|control)\s*")


def normal_ref(ref: str) -> str:
    """Without what differs between ways of writing: “Art. 30(2)(b)” and “30.2.b” are one."""
    bare = _ARTICLE.sub("", " ".join(ref.lower().split()))
    return re.sub(r"\s*\.[\s.]*", ".", re.sub(r"[()\[\]]", ".", bare)).strip(". ")


def find_scope(framework: Framework, named: str) -> Requirement | None:
    """The requirement of that reference or title; None for nothing: the whole framework.

    A path tells apart what has one name: “Chapter V/Section I”. Raises ValidationError.
    """
    steps = [normal_ref(step) for step in named.split("/") if step.strip()]
    if not steps:
        return None
    rows = {row.pk: row for row in framework.requirements.order_by("position")}
    found = [row for row in rows.values() if _is_named(row, steps, rows)]
    if not found:
        raise ValidationError(
            _("“{named}” is not a reference or title in “{framework}”. Name one that its page shows.").format(
                named=named[:80], framework=framework
            ),
            code="no_scope",
        )
    if len(found) > 1:
        under = "; ".join(f"{rows[row.parent_id].ref}/{row.ref}" for row in found[:5] if row.parent_id)
        raise ValidationError(
            _("“{named}” is there {n} times. Say which: {under}.").format(
                named=named[:80], n=len(found), under=under or "its number"
            ),
            code="ambiguous",
        )
    return found[0]


def _is_named(row: Requirement, steps: list[str], rows: dict[int, Requirement]) -> bool:
    if steps[-1] not in (normal_ref(row.ref), row.title.lower()) or not steps[-1]:
        return False
    left = steps[:-1]
    above = row.parent_id
    while left and above:
        if left[-1] in (normal_ref(rows[above].ref), rows[above].title.lower()):
            left.pop()
        above = rows[above].parent_id
    return not left


def requirements_in(framework: Framework, scope: Requirement | None) -> list[Requirement]:
    """Those of the scope that can be assessed, in order."""
    rows = subtree(scope) if scope else list(framework.requirements.order_by("position"))
    return [row for row in rows if row.is_assessable]
