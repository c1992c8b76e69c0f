"""Who is charged for the calls of a model, and the meter that counts them."""

from providers.roles import Endpoint, number_of
from providers.spending.metering import Meter, Payer
from providers.spending.models import Purpose


def owner_of(datasource: object | None) -> Payer:
    """The payer of work that no person asked for: reading, and preparing for questions."""
    return Payer(
        person=getattr(datasource, "owner_id", 0),
        datasource=number_of(datasource),
        purpose=Purpose.INDEXING,
    )


def meter_of(server: Endpoint, payer: Payer) -> Meter:
    """Counts what the payer has a server do."""
    return Meter(
        payer=payer,
        model=server.model,
        host=server.host,
        price_input=server.price_input,
        price_output=server.price_output,
    )
