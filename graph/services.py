"""What people choose about reading for the graph: who reads, which types, what it may cost, a retry."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from datasources.models import Datasource
from graph.aggregate.queue import defer_extraction, defer_judging
from graph.extraction.answers import OVER_BUDGET
from graph.extraction.extract import by_model
from graph.extraction.llm import budget
from graph.extraction.status import has_room, is_at_work
from graph.models import ChunkExtraction, ExtractionState, GraphExtractor, GraphSettings
from graph.values.ontology import Ontology, type_name
from ingestion.models import Chunk
from providers.roles import ModelRole, endpoint
from providers.spending.budgets import Limits

MOST_TYPES = 40


@transaction.atomic
def change_extraction(
    datasource: Datasource,
    *,
    extractor: GraphExtractor,
    ontology: Ontology,
    entity_types: Iterable[str],
    relation_types: Iterable[str],
    tokens: int | None,
    money: Decimal | None,
) -> None:
    """Change what is to be changed; the model then reads what it may and has not read yet.

    Empty lists of types are those of the ontology, no budget is no limit. Raises ValidationError.
    """
    chosen = GraphSettings.objects.locked(datasource)
    _choose_extractor(chosen, extractor)
    if (tokens, money) != (chosen.token_budget, chosen.money_budget):
        budget.check_limits(datasource, money)
    chosen.ontology = ontology
    chosen.entity_types, chosen.relation_types = cleaned(entity_types), cleaned(relation_types)
    chosen.token_budget, chosen.money_budget = tokens, money
    chosen.save()
    read_on(datasource)


@transaction.atomic
def choose_extractor(datasource: Datasource, extractor: GraphExtractor) -> None:
    """Who reads from now on; the model also what it has not read yet. Raises ValidationError."""
    chosen = GraphSettings.objects.locked(datasource)
    _choose_extractor(chosen, extractor)
    chosen.save(update_fields=["extractor"])
    read_on(datasource)


def _choose_extractor(chosen: GraphSettings, extractor: GraphExtractor) -> None:
    if extractor == GraphExtractor.MODEL != chosen.extractor:
        require_model(chosen.datasource)
    chosen.extractor = extractor


@transaction.atomic
def choose_types(
    datasource: Datasource,
    *,
    ontology: Ontology | None = None,
    entity_types: Iterable[str] | None = None,
    relation_types: Iterable[str] | None = None,
) -> None:
    """What the model looks for in what it reads afterwards; what is None stays. Raises ValidationError."""
    chosen = GraphSettings.objects.locked(datasource)
    if ontology is not None:
        chosen.ontology = ontology
    if entity_types is not None:
        chosen.entity_types = cleaned(entity_types)
    if relation_types is not None:
        chosen.relation_types = cleaned(relation_types)
    chosen.save(update_fields=["ontology", "entity_types", "relation_types"])


@transaction.atomic
def set_budget(datasource: Datasource, **limits: Unpack[Limits]) -> None:
    """Limit what the graph may cost in all (None: no limit), and go on reading where that allows it.

    Raises ValidationError, see budget.check_limits.
    """
    chosen = GraphSettings.objects.locked(datasource)
    if "tokens" in limits:
        chosen.token_budget = limits["tokens"]
    if "money" in limits:
        budget.check_limits(datasource, limits["money"])
        chosen.money_budget = limits["money"]
    chosen.save()
    read_on(datasource)


@transaction.atomic
def retry_chunks(datasource: Datasource, chunks: Iterable[Chunk] | None = None) -> int:
    """Have these failed chunks read again, by default all; gives how many."""
    failed = ChunkExtraction.objects.filter(datasource=datasource, state=ExtractionState.FAILED)
    if chunks is not None:
        failed = failed.filter(chunk__in=[chunk.pk for chunk in chunks])
    count = failed.update(state=ExtractionState.WAITING, error="")
    read_on(datasource)
    return count


def read_on(datasource: Datasource) -> None:
    """Queue what the model has not read and not judged; joins the caller's transaction."""
    if by_model(datasource):
        defer_judging(datasource.pk)
        defer_extraction(datasource.pk)


def resume_held() -> None:
    """Go on where a budget has stopped the reading and has room again: it was raised, or a month began."""
    held = ChunkExtraction.objects.filter(state=ExtractionState.WAITING, error=OVER_BUDGET)
    for datasource in Datasource.objects.filter(pk__in=held.values("datasource"), paused=False):
        if by_model(datasource) and not is_at_work(datasource) and has_room(datasource):
            read_on(datasource)


def require_model(datasource: Datasource) -> None:
    """Raises ValidationError."""
    if not endpoint(datasource, ModelRole.EXTRACTION):
        raise ValidationError(
            _(
                "No language model is connected to this server. Nothing was changed; have one connected in"
                " the settings, or stay with the rules."
            ),
            code="no_model",
        )


def cleaned(types: Iterable[str]) -> list[str]:
    """Names of types as they are stored, each once. Raises ValidationError."""
    names = list(dict.fromkeys(filter(None, map(type_name, types))))
    if len(names) > MOST_TYPES:
        raise ValidationError(
            _("There are {n} types. Nothing was changed; name at most {most}.").format(
                n=len(names), most=MOST_TYPES
            ),
            code="many_types",
        )
    return names
