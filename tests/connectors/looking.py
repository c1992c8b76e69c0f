"""Looking at a source once, and what is in its datasource then."""

from datasources.models import Datasource
from exchange.connectors import following, services
from exchange.connectors.models import Connector


def looked_at(connector: Connector) -> Connector:
    connector.refresh_from_db()
    services.look_now(connector)
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    return connector


def names(datasource: Datasource) -> set[str]:
    return set(datasource.documents.current().values_list("filename", flat=True))
