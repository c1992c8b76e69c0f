"""The type of a question: from its form, else from its words, else by asking the model."""

from chat.answering.question.intent import Intent, by_form, by_keywords
from chat.answering.question.understand import understand
from chat.answering.stages.stage import Stage, Work
from chat.events import QuestionUnderstood


class Classifying(Stage):
    """It affects how the answer is written, not the search."""

    name = "classifying"
    label = "Question type"
    icon = "tag"
    doing = "Reading the question"
    switch = "classify"
    time_limit = 4.0
    without = "The question's type was not recognised, so the answer is written as for a question of fact"

    def is_due(self, work: Work) -> bool:
        return not work.answered and self.name not in work.done

    async def run(self, work: Work) -> None:
        work.intent, told_by = await self._recognised(work)
        step = self.step(self.name, f"{work.intent.label}, {told_by}", state="")
        await work.emit(QuestionUnderstood(question=work.standalone, intent=work.intent, step=step))

    async def _recognised(self, work: Work) -> tuple[Intent, str]:
        """The type, and how it was recognised."""
        if intent := by_form(work.question) or by_form(work.standalone):
            return intent, "from its form"
        if work.supposed_intent is not None:
            return work.supposed_intent, "according to the model"
        if intent := by_keywords(work.standalone):
            return intent, "from its words"
        if work.helper is None or work.model.plans_here:
            return Intent.FACTUAL, "by default"
        understood = await understand(work.helper, (), work.standalone)
        work.usage += understood.usage
        return understood.intent or Intent.FACTUAL, "according to the model"
