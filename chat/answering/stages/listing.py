"""“Which documents do you have?” is answered from the list of documents; no model is asked."""

import re
from collections.abc import Sequence

from chat.answering.stages.stage import Stage, Work
from chat.events import StageStarted
from chat.models import TurnStatus
from chat.verbatim import verbatim
from text.counted import counted

LISTED = 50  # titles
NOTICE = "Every document that you can search here was counted."
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
    label = "List"
    icon = "list-checks"
    doing = "Looking at the list of documents"

    def is_due(self, work: Work) -> bool:
        return not work.answered and work.round == 0 and asks_for_documents(work.question)

    async def run(self, work: Work) -> None:
        titles, count = await work.titles(LISTED)
        step = self.step(self.name, counted(count, "document"), state="")
        await work.emit(StageStarted(stage=self.name, step=step))
        work.notice("listed", NOTICE)
        work.answered = work.greeted = True
        work.found, work.outcome = "all", TurnStatus.ANSWERED
        await work.show(_list_of(titles, count), True)


def _list_of(titles: Sequence[str], count: int) -> str:
    if not titles:
        return "There are no documents here that can be searched."
    verb = "is" if count == 1 else "are"
    lines = [f"There {verb} {counted(count, 'document')} here:", ""]
    lines += [f"- {verbatim(title)}" for title in titles]
    if count > len(titles):
        lines.append(f"- and {count - len(titles):,} more")
    return "\n".join(lines)
