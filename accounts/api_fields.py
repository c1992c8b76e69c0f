"""Bodies of REST: what is no field of a request is refused by its name, rather than ignored in silence."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from rest_framework import serializers
from rest_framework.request import Request

T = TypeVar("T")


class KnownFields(serializers.Serializer[T]):
    """Base of what requests are read with, also of objects within them.

    What an object shows but nobody may change counts as known, so that an object can be sent back whole.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields)
        return super().to_internal_value(data)


def refuse_body(request: Request) -> None:
    """For requests without fields. Raises ValidationError, which names what was sent."""
    if isinstance(request.data, Mapping):
        refuse_unknown(request.data, ())


def refuse_unknown(sent: Iterable[Any], known: Iterable[str]) -> None:
    """Raises ValidationError, which names the first field that there is not, and those that there are."""
    names = list(known)
    for name in sent:
        if name not in names:
            listed = f"Known here: {', '.join(names)}." if names else "This request takes none."
            raise serializers.ValidationError({str(name)[:100]: [f"There is no such field. {listed}"]})
