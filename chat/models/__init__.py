"""The rows of questions and answers, a file a subject; Django looks for an app's models here."""

from chat.models.answer_settings import LIMITS, AnswerSettings
from chat.models.citations import DOCUMENT_DELETED, Citation
from chat.models.conversations import Conversation
from chat.models.feedback import Feedback, FeedbackReason
from chat.models.instructions import Instructions
from chat.models.notes import Note
from chat.models.paid_replies import PaidReply
from chat.models.turns import UNFINISHED, Budget, Mode, Turn, TurnStatus

__all__ = [
    "DOCUMENT_DELETED",
    "LIMITS",
    "UNFINISHED",
    "AnswerSettings",
    "Budget",
    "Citation",
    "Conversation",
    "Feedback",
    "FeedbackReason",
    "Instructions",
    "Mode",
    "Note",
    "PaidReply",
    "Turn",
    "TurnStatus",
]
