"""The metrics by name: what people read, how each is defined, and for which kinds of question."""

from dataclasses import dataclass

from django.utils.translation import gettext_noop

from desks.evaluation.models import Kind, Run

SOURCED = (Kind.SINGLE, Kind.MULTI)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """`name` as in JSON; `definition` is one click away wherever the metric is shown."""

    name: str
    label: str
    short: str
    definition: str
    kinds: tuple[Kind, ...] = SOURCED


FOUR = (
    Metric(
        name="relevance",
        label=gettext_noop("Context relevance"),
        short=gettext_noop("Relevance"),
        definition=gettext_noop(
            "The share of the retrieved passages that are in the gold set: passages with a piece of "
            "the expected answer."
        ),
    ),
    Metric(
        name="utilisation",
        label=gettext_noop("Context utilisation"),
        short=gettext_noop("Utilisation"),
        definition=gettext_noop("The share of the retrieved passages that the answer quotes."),
    ),
    Metric(
        name="completeness",
        label=gettext_noop("Completeness"),
        short=gettext_noop("Completeness"),
        definition=gettext_noop(
            "The share of the pieces that the expected answer needs that the answer has: it quotes "
            "them, or has their words and figures."
        ),
    ),
    Metric(
        name="adherence",
        label=gettext_noop("Adherence"),
        short=gettext_noop("Adherence"),
        definition=gettext_noop(
            "The share of what the answer says that the retrieved passages say too. A refusal says "
            "nothing, so nothing unfounded, and scores 1."
        ),
        kinds=tuple(Kind),
    ),
)
REFUSED = Metric(
    name="refused",
    label=gettext_noop("Refused"),
    short=gettext_noop("Refused"),
    definition=gettext_noop(
        "The share of questions that were not answered: right for no-source ones, wrong for others."
    ),
    kinds=tuple(Kind),
)
RETRIEVAL = (
    Metric(
        name="relevance_at_5",
        label=gettext_noop("Context relevance at 5"),
        short=gettext_noop("Relevance at 5"),
        definition=gettext_noop(
            "The share of the first five passages of the search that are in the gold set."
        ),
    ),
    Metric(
        name="recall_at_5",
        label=gettext_noop("Recall at 5"),
        short=gettext_noop("Recall at 5"),
        definition=gettext_noop("The share of the needed pieces that are in the first five passages."),
    ),
    Metric(
        name="hit_at_5",
        label=gettext_noop("A gold passage among the first 5"),
        short=gettext_noop("Hit at 5"),
        definition=gettext_noop(
            "The share of questions with at least one gold passage among the first five."
        ),
    ),
    Metric(
        name="mrr",
        label="MRR",
        short="MRR",
        definition=gettext_noop("One divided by the rank of the first gold passage, 0 beyond the tenth."),
    ),
    Metric(
        name="ndcg_at_10",
        label="nDCG at 10",
        short="nDCG at 10",
        definition=gettext_noop("How close the order of the first ten passages is to the best order."),
    ),
    Metric(
        name="pages",
        label=gettext_noop("Page hits"),
        short=gettext_noop("Pages"),
        definition=gettext_noop(
            "The share of the pages with the answer that the first five passages are on."
        ),
    ),
)
CITATIONS = (
    Metric(
        name="quote_found",
        label=gettext_noop("Quotes on the page"),
        short=gettext_noop("Quotes found"),
        definition=gettext_noop(
            "The share of the citations whose words are on the page. It says nothing about the claim."
        ),
        kinds=tuple(Kind),
    ),
    Metric(
        name="carries_claim",
        label=gettext_noop("Quotes that support their claim"),
        short=gettext_noop("Support the claim"),
        definition=gettext_noop(
            "The share of the citations with a claim whose quote supports it. Quotes without claims "
            "are not counted."
        ),
        kinds=tuple(Kind),
    ),
    Metric(
        name="gold_page_cited",
        label=gettext_noop("Gold pages cited"),
        short=gettext_noop("Gold pages"),
        definition=gettext_noop("The share of the needed pieces with a citation of a page that has them."),
    ),
)
ALL = (*FOUR, REFUSED, *RETRIEVAL, *CITATIONS)
BY_NAME = {metric.name: metric for metric in ALL}
OF_SEARCH = tuple(BY_NAME[name] for name in ("relevance_at_5", "recall_at_5", "mrr", "ndcg_at_10"))


def shown_first(*runs: Run | None) -> tuple[Metric, ...]:
    """The four that a page of these runs begins with: of the search, where one of them answered nothing."""
    return FOUR if all(run.frozen["answers"] for run in runs if run) else OF_SEARCH
