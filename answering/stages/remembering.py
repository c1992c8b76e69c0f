"""A question that was answered before is answered the same way if nothing has changed since."""

from django.utils.translation import gettext_noop

from answering.question.intent import Intent
from answering.question.own_words import greeting_reply
from answering.stages.listing import asks_for_documents
from answering.stages.stage import Stage
from answering.state.work import Work, Written
from answering.values.events import StageStarted


class Remembering(Stage):
    """It is labelled as an earlier answer, and people can ask for a new one."""

    name = "remembering"
    label = gettext_noop("Remember")
    icon = "history"
    time_limit = 3.0
    without = gettext_noop("Earlier answers were not looked up.")

    def is_due(self, work: Work) -> bool:
        if work.means.recall is None or work.written is not None:
            return False
        return not greeting_reply(work.asked.question) and not asks_for_documents(work.asked.question)

    async def run(self, work: Work) -> None:
        assert work.means.recall is not None
        earlier = await work.means.recall(work.question, not work.asked.history)
        if earlier is None:
            return
        work.written = Written(found="all", missing=earlier.missing, repeated=True)
        work.outcome = earlier.outcome
        work.intent = Intent(earlier.intent) if earlier.intent in set(Intent) else Intent.FACTUAL
        work.notices += earlier.notices
        work.notice("reused", earlier.label)
        text = "A kept answer; documents, models and settings are the same"
        await work.means.emit(StageStarted(stage=self.name, step=self.step(self.name, text, state="")))
