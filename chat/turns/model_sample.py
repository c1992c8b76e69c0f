"""An example of what a language model would be sent: a question, and what its first search finds."""

from dataclasses import dataclass
from textwrap import shorten

from answering.tools.passages import read
from answering.tools.runner import ToolRunner
from chat.models import Turn
from datasources.masking import masked, shown
from datasources.models import Datasource
from providers.embedders import embedder
from retrieval.query import Scope

SHOWN = 2  # passages
TEXT = 120  # characters of each
LONGEST_QUERY = 1000  # characters

Passage = tuple[str, str, str]  # title, pages, the beginning of its text


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """`passages`: the first of the `count` that are found. `hides`: personal data is masked in what is shown,
    which the model would read.
    """

    question: str
    passages: list[Passage]
    count: int
    hides: bool


def sample_of(datasource: Datasource, person: int, last: Turn | None) -> Sample | None:
    """Of the person's last question there, or else of the first that is proposed; None where nothing would be
    sent. As the agent's own tool would find it and write it down. Raises ProviderError.
    """
    asked = (last.standalone or last.question) if last else next(iter(datasource.questions), "")
    if not asked:
        return None
    scope = Scope(
        user_id=person,
        datasource_id=datasource.pk,
        document_ids=None if last is None or last.document_ids is None else frozenset(last.document_ids),
    )
    runner = ToolRunner(scope, embedder(datasource))
    found = read(runner.content(runner.run_here("search_chunks", {"query": asked[:LONGEST_QUERY]})))
    if not found:
        return None
    return Sample(
        question=shown(asked, datasource.pk),
        passages=[(each.document, each.pages, _beginning(each.text, datasource)) for each in found[:SHOWN]],
        count=len(found),
        hides=bool(masked([datasource.pk])),
    )


def _beginning(text: str, datasource: Datasource) -> str:
    return shorten(shown(text, datasource.pk), TEXT, placeholder=" …")
