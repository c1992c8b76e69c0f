"""Replies of models to a turn that has not ended."""

from django.db import models

from chat.models.turns import Turn
from providers.spending.paid_replies import PaidReplyRow


class PaidReply(PaidReplyRow):
    """A model's reply until its turn ends: a turn that is killed does not pay for it again."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="paid_replies")

    class Meta(PaidReplyRow.Meta):
        constraints = [models.UniqueConstraint(fields=["turn", "key"], name="one_reply_per_turn")]
