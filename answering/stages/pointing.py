"""Without a language model that reads whole documents: what that means for a summary, a list or a comparison,
and what SVQ shows instead.
"""

from django.utils.translation import gettext_noop

from answering.question.own_words import ASK_OTHERWISE
from answering.stages.counting import counted_words
from answering.stages.stage import Stage
from answering.state.work import Work, Written
from answering.values.outcome import Outcome
from answering.whole.asking import Wanted, named, names_a_matter, wanted, without_task
from answering.whole.library import Library
from localization.stored import sentences

NEEDS_MODEL = "needs_model"  # the notice's code; pages show links with it
CANNOT = {
    Wanted.SUMMARY: gettext_noop("So SVQ cannot write a summary."),
    Wanted.LIST: gettext_noop("So SVQ cannot write a complete list."),
    Wanted.COMPARISON: gettext_noop("So SVQ cannot write a comparison."),
}
NOT_CONNECTED = gettext_noop("No language model is connected.")
NOT_ANSWERING = gettext_noop("No language model answers this question.")  # it has failed, or may not
NOT_WHOLE = gettext_noop("The language model here reads passages, not whole documents.")
CLOSEST = gettext_noop("These are only the closest passages.")
INSTEAD = {
    Wanted.SUMMARY: gettext_noop(
        "At a glance shows parties, dates, time limits, sums, duties and terms without a model."
    ),
    Wanted.LIST: gettext_noop(
        "At a glance lists parties, dates, time limits, sums, duties and terms without a model."
    ),
    Wanted.COMPARISON: gettext_noop("Two documents can be compared side by side without a model."),
}


class Pointing(Stage):
    """Asks nobody. Where documents are named, only they are searched; where the question says neither what
    it is about nor of which document, nothing is.
    """

    name = "pointing"
    label = gettext_noop("Point")
    icon = "info"

    def is_due(self, work: Work) -> bool:
        asked = _asked(work)
        return (
            work.means.model.plans_here
            and work.written is None
            and wanted(asked) is not None
            and not counted_words(asked)
        )

    async def run(self, work: Work) -> None:
        asked = _asked(work)
        kind = wanted(asked)
        assert kind is not None
        there = await Library(scope=work.means.tools.scope).documents()
        if documents := named(asked, there):
            work.means.tools.search_only({each.id for each in documents})
        elif kind != Wanted.LIST and not names_a_matter(asked):
            work.notice(NEEDS_MODEL, sentences(_why(work), CANNOT[kind], INSTEAD[kind]))
            await work.means.show(ASK_OTHERWISE, True)
            work.written, work.outcome = Written(found="all", greeted=True), Outcome.ANSWERED
            return
        # "Summarised" is no word of its matter.
        work.sought = " ".join(without_task(asked).split()) if kind == Wanted.SUMMARY else ""
        work.notice(NEEDS_MODEL, sentences(_why(work), CANNOT[kind], CLOSEST, INSTEAD[kind]))


def _asked(work: Work) -> str:
    """As it was asked, unless a model has said it better: with the words of the question before it, one for a
    summary is hidden, and one that is none may look like it.
    """
    return work.question if work.rephrased.by_model else work.asked.question


def _why(work: Work) -> str:
    if not work.means.model.quotes_only:
        return NOT_WHOLE
    return NOT_ANSWERING if work.asked.has_model else NOT_CONNECTED
