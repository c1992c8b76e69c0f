"""A question that was answered before is answered the same way if nothing has changed since."""

from chat.answering.question.intent import Intent
from chat.answering.stages.listing import asks_for_documents
from chat.answering.stages.stage import Stage, Work
from chat.events import StageStarted
from chat.own_words import greeting_reply


class Remembering(Stage):
    """It is labelled as an earlier answer, and people can ask for a new one."""

    name = "remembering"
    label = "Remember"
    icon = "history"
    time_limit = 3.0
    without = "Earlier answers were not looked up"

    def is_due(self, work: Work) -> bool:
        if work.recall is None or work.answered or self.name in work.done:
            return False
        return not greeting_reply(work.question) and not asks_for_documents(work.question)

    async def run(self, work: Work) -> None:
        assert work.recall is not None
        earlier = await work.recall()
        if earlier is None:
            return
        work.answered = work.repeated = True
        work.found, work.outcome, work.missing = "all", earlier.outcome, earlier.missing
        work.intent = Intent(earlier.intent) if earlier.intent in set(Intent) else Intent.FACTUAL
        work.notices += earlier.notices
        work.notice("reused", earlier.label)
        text = "A kept answer; documents, models and settings are the same"
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, text, state="")))
