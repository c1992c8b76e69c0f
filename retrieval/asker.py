"""Who pays for the models that a search uses."""

from collections.abc import Sequence

from providers.spending.metering import Payer
from retrieval.query import Scope


def asker_of(scopes: Sequence[Scope]) -> Payer:
    """The person of the scopes; where there are several datasources, none of them is charged."""
    return Payer.asking(scopes[0].user_id if scopes else 0, {scope.datasource_id for scope in scopes})
