"""Who reads for a datasource's graph, for which types, and what it may cost: people's choices."""

from collections.abc import Iterable
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction

from datasources.models import Datasource, GraphExtractor, Ontology
from graph.extraction.jobs import read_on
from graph.extraction.llm import budget
from graph.extraction.ontology import type_name
from providers.roles import ModelRole, endpoint

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
    row = Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    if extractor == GraphExtractor.MODEL != row.graph_extractor:
        require_model(row)
    row.graph_extractor, row.ontology = extractor, ontology
    row.entity_types, row.relation_types = cleaned(entity_types), cleaned(relation_types)
    row.save(update_fields=["graph_extractor", "ontology", "entity_types", "relation_types", "updated"])
    if (tokens, money) != (row.token_budget, row.money_budget):
        budget.set_limits(row, tokens=tokens, money=money)
    read_on(row)
    datasource.refresh_from_db()


def require_model(datasource: Datasource) -> None:
    """Raises ValidationError."""
    if not endpoint(datasource, ModelRole.EXTRACTION):
        raise ValidationError(
            "No language model is set on this server. Nothing was changed; set SVQ_LLM_BASE_URL and"
            " SVQ_LLM_MODEL, or stay with the rules.",
            code="no_model",
        )


def cleaned(types: Iterable[str]) -> list[str]:
    """Names of types as they are stored, each once. Raises ValidationError."""
    names = list(dict.fromkeys(filter(None, map(type_name, types))))
    if len(names) > MOST_TYPES:
        raise ValidationError(
            f"There are {len(names)} types. Nothing was changed; name at most {MOST_TYPES}.",
            code="many_types",
        )
    return names
