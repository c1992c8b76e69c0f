"""Questions of a file taken into a set: those that it has already get a new wording, or stay as they are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desks.evaluation.models import Origin, Question, QuestionSet
from desks.evaluation.questions.draft import PASSAGES, Draft, Proof
from desks.evaluation.questions.services import check_room, check_words, locked, next_version, proof_of, store
from localization.numbers import numeral

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How many questions were new, worded anew, and the same as before."""

    added: int
    changed: int
    same: int

    def __str__(self) -> str:
        added = ngettext("{n} question imported", "{n} questions imported", self.added)
        told = [added.format(n=numeral(self.added))]
        if self.changed:
            told.append(_("{n} changed").format(n=self.changed))
        if self.same:
            told.append(_("{n} as before").format(n=self.same))
        return f"{', '.join(told)}."


def import_questions(
    question_set: QuestionSet, drafts: Sequence[Draft], author: "User | None" = None
) -> Imported:
    """In one new version, if there is anything new. Raises ValidationError, and then changes nothing."""
    for draft in drafts:
        check_words(draft.text, draft.reference)
    with transaction.atomic():
        row = locked(question_set)
        keys = {draft.key for draft in drafts if draft.key}
        known = {
            question.key: question
            for question in row.questions.current().filter(key__in=keys).prefetch_related("gold")
        }
        check_room(row, sum(draft.key not in known for draft in drafts))
        new: list[Draft] = []
        for draft in drafts:
            old = known.get(draft.key) if draft.key else None
            if old is None:
                new.append(draft)
            elif (told := _with_quotes(old, draft)) and not _is_same(old, told):
                new.append(told)
        changed = [known[draft.key].pk for draft in new if draft.key in known]
        if new:
            version = next_version(row)
            row.questions.filter(pk__in=changed).update(until=version)
            store(row, version, new, Origin.IMPORT, author=author)
            question_set.version = version
    return Imported(added=len(new) - len(changed), changed=len(changed), same=len(drafts) - len(new))


def _with_quotes(old: Question, draft: Draft) -> Draft:
    """The quotes that are known are more exact than passages that hold them."""
    if draft.template != PASSAGES:
        return draft
    return replace(draft, proofs=tuple(map(proof_of, old.gold.all())))


def _is_same(old: Question, draft: Draft) -> bool:
    wording = (old.kind, old.text, old.reference)
    return wording == (draft.kind, draft.text.strip(), draft.reference.strip()) and sorted(
        _place(proof_of(gold)) for gold in old.gold.all()
    ) == sorted(map(_place, draft.proofs))


def _place(proof: Proof) -> tuple[int, str, str, int]:
    """What a file says about a proof."""
    return proof.piece, proof.title, " ".join(proof.quote.split()), proof.page or 0
