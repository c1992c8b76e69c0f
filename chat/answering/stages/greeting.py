"""Answers a greeting or thanks in kind, without a search."""

from chat.answering.question.intent import Intent
from chat.answering.stages.stage import Stage, Work
from chat.models import TurnStatus
from chat.own_words import greeting_reply


class Greeting(Stage):
    """Only if the whole message is one; with a question in it, the documents are searched."""

    name = "greeting"
    label = "Reply"
    icon = "message-square-text"
    switch = "classify"

    def is_due(self, work: Work) -> bool:
        greets = work.intent == Intent.CHITCHAT and bool(greeting_reply(work.question))
        return greets and not work.answered and work.round == 0

    async def run(self, work: Work) -> None:
        await work.show(greeting_reply(work.question), True)
        work.answered = work.greeted = True
        work.found, work.outcome = "all", TurnStatus.ANSWERED
