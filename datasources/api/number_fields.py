"""Fields of REST for numbers that people type, where they come as text: forms read them alike
(datasources.web.number_fields).
"""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from datasources.numbers import amount_typed, whole_typed


class WholeField(serializers.IntegerField):
    """With figures of any script."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, str) and (data := whole_typed(data)) is None:
            self.fail("invalid")
        return super().to_internal_value(data)


class AmountField(serializers.DecimalField):
    """The same with decimals."""

    def to_internal_value(self, data: Any) -> Decimal:
        if isinstance(data, str) and (data := amount_typed(data)) is None:
            self.fail("invalid")
        return super().to_internal_value(data)
