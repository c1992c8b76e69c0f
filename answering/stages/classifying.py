"""The type of a question: from its form, else from its words, else by asking the model."""

from django.utils.translation import gettext_noop

from answering.question.intent import Intent, by_form, by_keywords
from answering.question.understand import understand
from answering.stages.stage import Stage
from answering.state.work import Work
from answering.values.events import QuestionUnderstood


class Classifying(Stage):
    """It affects how the answer is written, not the search."""

    name = "classifying"
    label = gettext_noop("Question type")
    icon = "tag"
    doing = gettext_noop("Reading the question")
    switch = "classify"
    time_limit = 4.0
    without = gettext_noop(
        "The question's type was not recognised, so the answer is written as for a question of fact."
    )

    def is_due(self, work: Work) -> bool:
        return work.written is None

    async def run(self, work: Work) -> None:
        work.intent, told_by = await self._recognised(work)
        step = self.step(self.name, f"{work.intent.label}, {told_by}", state="")
        await work.means.emit(QuestionUnderstood(question=work.question, intent=work.intent, step=step))

    async def _recognised(self, work: Work) -> tuple[Intent, str]:
        """The type, and how it was recognised."""
        if intent := by_form(work.asked.question) or by_form(work.question):
            return intent, "from its form"
        if work.rephrased.intent is not None:
            return work.rephrased.intent, "according to the model"
        if intent := by_keywords(work.question):
            return intent, "from its words"
        if work.helper is None or work.means.model.plans_here:
            return Intent.FACTUAL, "by default"
        understood = await understand(work.helper, (), work.question)
        work.usage += understood.usage
        return understood.intent or Intent.FACTUAL, "according to the model"
