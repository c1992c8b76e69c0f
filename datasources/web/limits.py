"""The fields that limit what a batch may still use: runs, checks and tables read them alike."""

from typing import Any

from django.core.exceptions import ValidationError
from django.forms import Field
from django.http import QueryDict
from django.utils.translation import gettext as _

from batches.budget import LEAST_MONEY, Budget
from batches.limits import GOES_ON
from batches.models import BatchRow
from datasources.models import Datasource
from datasources.numbers import LARGEST
from datasources.web.number_fields import AmountField, WholeField
from providers.language_models import playing
from providers.roles import ModelRole

TOKENS = WholeField(required=False, min_value=1, max_value=LARGEST)
MONEY = AmountField(required=False, min_value=LEAST_MONEY, max_digits=12, decimal_places=6)


def budget_from(fields: QueryDict, row: BatchRow, datasource: Datasource) -> Budget | None:
    """What the batch may use from now on, by its form; None where no limit was there and none is given. A
    field that nobody has touched, or that the page has not, keeps its limit; one that was emptied has none.

    Raises ValidationError: no limit that was written is ignored, and a model reads on beyond one that is used
    up only if somebody changes it.
    """
    limits = row.limits
    tokens = fields.get("token_budget", limits.tokens).strip()
    money = fields.get("money_budget", limits.money).strip()
    if (tokens, money) != (limits.tokens, limits.money):
        return Budget(tokens=_read(TOKENS, tokens), money=_read(MONEY, money))
    if limits.is_used_up and playing(datasource, ModelRole.AGENT):
        raise ValidationError(
            _("The limit is reached. Go on with another limit, or with none."), code="budget_used_up"
        )
    return row.budget_left if row.status in GOES_ON else None


def _read(field: Field, text: str) -> Any:
    """None where nothing is written. Raises ValidationError."""
    try:
        return field.clean(text)
    except ValidationError as error:
        told = _("The limit must be a number above 0. Nothing was started.")
        raise ValidationError(told, code="limit") from error
