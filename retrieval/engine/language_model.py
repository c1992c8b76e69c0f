"""The language model that helps a search: that of the searched datasources, charged to the asker."""

from collections.abc import Sequence

from datasources.models import Datasource
from providers.language_models import over_budget, structured_model
from providers.protocols import StructuredModel
from providers.roles import ModelRole, endpoint
from retrieval.asker import asker_of
from retrieval.query import Scope

NO_MODEL = "No language model is connected."
SEVERAL_MODELS = "These datasources have different language models, and text goes to none but their own."
NO_BUDGET = "A month's budget for language models is used up."


def language_model(scopes: Sequence[Scope]) -> StructuredModel | str:
    """The model of the agent's role, or why there is none for this search."""
    datasources = Datasource.objects.in_bulk([scope.datasource_id for scope in scopes])
    agents = {endpoint(datasource, ModelRole.AGENT) for datasource in datasources.values()}
    if not any(agents):
        return NO_MODEL
    if len(agents) > 1:
        return SEVERAL_MODELS
    if any(over_budget(datasource) is not None for datasource in datasources.values()):
        return NO_BUDGET
    model = structured_model(datasources[min(datasources)], ModelRole.AGENT, asker_of(scopes), watched=True)
    return model or NO_MODEL
