"""Answers a greeting or thanks in kind, without a search."""

from django.utils.translation import gettext_noop

from answering.question.intent import Intent
from answering.question.own_words import greeting_reply
from answering.stages.stage import Stage
from answering.state.work import Work, Written
from answering.values.outcome import Outcome


class Greeting(Stage):
    """Only if the whole message is one; with a question in it, the documents are searched."""

    name = "greeting"
    label = gettext_noop("Reply")
    icon = "message-square-text"
    switch = "classify"

    def is_due(self, work: Work) -> bool:
        greets = work.intent == Intent.CHITCHAT and bool(greeting_reply(work.asked.question))
        return greets and work.written is None and work.rounds.number == 0

    async def run(self, work: Work) -> None:
        await work.means.show(greeting_reply(work.asked.question), True)
        work.written, work.outcome = Written(found="all", greeted=True), Outcome.ANSWERED
