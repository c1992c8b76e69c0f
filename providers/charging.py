"""Who is charged for the calls of a model, and the meter that counts them."""

from providers.roles import Endpoint, number_of
from providers.spending.metering import Meter, Payer
from providers.spending.models import Purpose


def owner_of(datasource: object | None) -> Payer:
    """Who pays for what nobody has asked for: reading, and what is made ready for questions."""
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
