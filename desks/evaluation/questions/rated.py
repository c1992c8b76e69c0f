"""Questions whose answers a person has rated, as proposals for a set: thumbs and their reasons."""

from typing import TYPE_CHECKING

from chat.models import Feedback, FeedbackReason
from citations.marks import without_marks
from desks.evaluation.models import Kind, Origin, QuestionSet
from desks.evaluation.questions.draft import Draft, Proof
from desks.evaluation.questions.services import LONGEST_REFERENCE, MOST_MADE, add_questions

if TYPE_CHECKING:
    from accounts.models import User

HELPFUL = "helpful"  # the template of questions with an answer that helped


def propose_rated(question_set: QuestionSet, person: "User") -> int:
    """Those whose answers the person has rated become proposals; how many are new.

    A helpful answer comes as the expected one with its quotes, an unhelpful one as its reason and note. Only
    their own: a conversation is its author's alone, and they choose to bring it here.
    """
    rated = Feedback.objects.filter(
        turn__conversation__user=person, turn__conversation__datasource=question_set.datasource
    )
    known = set(question_set.questions.current().values_list("text", flat=True))
    rows = rated.select_related("turn").prefetch_related("turn__citations").order_by("given")
    drafts = {
        each.turn.question.strip(): _helpful(each) if each.helpful else _unhelpful(each)
        for each in rows[:MOST_MADE]
    }
    new = [draft for text, draft in drafts.items() if text not in known]
    return len(add_questions(question_set, new, Origin.PERSON, author=person, proposed=True))


def _helpful(rated: Feedback) -> Draft:
    turn = rated.turn
    quoted = [each for each in turn.citations.all() if each.quote and each.document_id is not None]
    proofs = tuple(
        Proof(
            document_id=each.document_id,
            title=each.document_title,
            quote=each.quote,
            start=each.start,
            end=each.end,
            page=each.pages[0] if each.pages else None,
            piece=place,
        )
        for place, each in enumerate(quoted)
    )
    several = len({proof.document_id for proof in proofs}) > 1
    return Draft(
        kind=Kind.MULTI if several else Kind.SINGLE,
        text=turn.question,
        reference=" ".join(without_marks(turn.answer).split())[:LONGEST_REFERENCE],
        proofs=proofs,
        template=HELPFUL,
    )


def _unhelpful(rated: Feedback) -> Draft:
    reason = str(FeedbackReason(rated.reason).label) if rated.reason else "unhelpful"
    return Draft(kind=Kind.SINGLE, text=rated.turn.question, reference=rated.note, template=reason[:30])
