"""Fields of forms for numbers that people type, which REST reads alike (datasources.api.number_fields)."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from datasources.numbers import amount_typed, whole_typed


class WholeField(forms.IntegerField):
    """With figures of any script."""

    def to_python(self, value: Any) -> int | None:
        if value in self.empty_values:
            return None
        if (number := whole_typed(str(value))) is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return number


class AmountField(forms.DecimalField):
    """The same with decimals."""

    def to_python(self, value: Any) -> Any:
        if value in self.empty_values:
            return None
        if (number := amount_typed(str(value))) is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return number
