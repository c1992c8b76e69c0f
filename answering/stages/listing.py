"""“Which documents do you have?” is answered from the list of documents; no model is asked."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext_noop

from answering.stages.stage import Stage
from answering.state.work import Work, Written
from answering.values.events import StageStarted
from answering.values.outcome import Outcome
from text.counted import counted
from text.normal_forms.verbatim import verbatim

LISTED = 50  # titles
NOTICE = gettext_noop("Every document that you can search here was counted.")
_DOCUMENTS = r"(?:documents|files|sources|dokumente|dateien)"
_ASKS = re.compile(
    rf"\W*(?:please\s+|can you\s+|could you\s+)?(?:"
    rf"(?:which|what|welche|how many|wie viele)\s+{_DOCUMENTS}\s+"
    rf"(?:do (?:you|we|i) have(?: here| access to)?|"
    rf"have you(?: got)?|are (?:there|here|available|in here|in this (?:datasource|collection|folder))|"
    rf"can you (?:see|read|search|use)|do you (?:know|see|use|search)|gibt es(?: hier)?|hast du|haben sie)"
    rf"|(?:list|show(?: me)?|name|give me)\s+(?:a list of\s+)?(?:all\s+)?(?:(?:the|your|my|our)\s+)?"
    rf"{_DOCUMENTS}(?: (?:that )?(?:you have|there are))?)\W*",
    re.IGNORECASE,
)


def asks_for_documents(question: str) -> bool:
    """Whether the whole question is what there is to search."""
    return _ASKS.fullmatch(question) is not None


class Listing(Stage):
    """Only if the whole question is about that."""

    name = "listing"
    label = gettext_noop("List")
    icon = "list-checks"
    doing = gettext_noop("Looking at the list of documents")

    def is_due(self, work: Work) -> bool:
        return work.written is None and work.rounds.number == 0 and asks_for_documents(work.asked.question)

    async def run(self, work: Work) -> None:
        titles, count = await work.means.titles(LISTED)
        step = self.step(self.name, counted(count, "document"), state="")
        await work.means.emit(StageStarted(stage=self.name, step=step))
        work.notice("listed", NOTICE)
        work.written, work.outcome = Written(found="all", greeted=True), Outcome.ANSWERED
        await work.means.show(_list_of(titles, count), True)


def _list_of(titles: Sequence[str], count: int) -> str:
    if not titles:
        return "There are no documents here that can be searched."
    verb = "is" if count == 1 else "are"
    lines = [f"There {verb} {counted(count, 'document')} here:", ""]
    lines += [f"- {verbatim(title)}" for title in titles]
    if count > len(titles):
        lines.append(f"- and {count - len(titles):,} more")
    return "\n".join(lines)
