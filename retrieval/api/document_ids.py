"""How requests name a document: by its number, or by what another program calls it.

A text is such an id first, also one of digits, see `datasources.whose_ids`.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from datasources.models.outside_ids import LONGEST_ID, is_id
from datasources.numbers import LARGEST

Id = int | str


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class NumberOrText(serializers.Field[Any, Any, Any, Any]):
    """A number from `least` on, or a text of at most LONGEST_ID characters."""

    least, refusal = 0, f"Must be a number, or a text of at most {LONGEST_ID} characters."

    def to_internal_value(self, data: Any) -> Id:
        """Raises ValidationError."""
        if isinstance(data, int) and not isinstance(data, bool) and self.least <= data <= LARGEST:
            return data
        if isinstance(data, str) and is_id(data):
            return data
        raise serializers.ValidationError(self.refusal)

    def to_representation(self, value: Any) -> Any:
        return value


class DocumentIdField(NumberOrText):
    """The `externalId` of a document, or its number, also as a text."""

    least = 1
    refusal = f"Must be the number of a document, or an externalId of at most {LONGEST_ID} characters."


class SubjectField(NumberOrText):
    """What a program has its documents filed under: the `subjectId` in their metadata."""
