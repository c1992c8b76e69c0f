"""JSON of requests: what no parser or database can take is malformed, not a fault of SVQ."""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StorableJson(JSONParser):
    """Refuses values nested too deep and halves of characters (lone surrogates)."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            value = super().parse(stream, media_type, parser_context)
            json.dumps(value, ensure_ascii=False).encode()
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError from error
        return value
