"""Of which kind a question is: by its form, else by its words, else by asking the model."""

from chat.answering.question.intent import Intent, by_form, by_keywords
from chat.answering.question.understand import understand
from chat.answering.stages.stage import Stage, Work
from chat.events import QuestionUnderstood


class Classifying(Stage):
    """It tunes how the answer is written and leaves the search alone."""

    name = "classifying"
    label = "Question type"
    icon = "tag"
    doing = "Reading the question"
    switch = "classify"
    time_limit = 4.0
    without = "The answer is written as for a question of fact, as its type was not recognised"

    def is_due(self, work: Work) -> bool:
        return self.name not in work.done

    async def run(self, work: Work) -> None:
        work.intent, told_by = await self._recognised(work)
        step = self.step(self.name, f"{work.intent.label}, {told_by}", state="")
        await work.emit(QuestionUnderstood(question=work.standalone, intent=work.intent, step=step))

    async def _recognised(self, work: Work) -> tuple[Intent, str]:
        """The kind, and what told it."""
        if intent := by_form(work.question) or by_form(work.standalone):
            return intent, "by its form"
        if work.supposed_intent is not None:
            return work.supposed_intent, "says the model"
        if intent := by_keywords(work.standalone):
            return intent, "by its words"
        if work.helper is None or work.model.quotes_only:
            return Intent.FACTUAL, "for want of a sign"
        understood = await understand(work.helper, (), work.standalone)
        work.usage += understood.usage
        return understood.intent or Intent.FACTUAL, "says the model"
