"""JSON written by strangers, a value or a file of lines: what cannot be taken is refused, whatever it is."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO


class BadJson(ValueError):
    """Its text says what is wrong, for the middle of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a file. number: from 1. start, size: in bytes. content: None for one that is too long."""

    number: int
    start: int
    size: int
    content: bytes | None


def parsed(content: bytes | str) -> Any:
    """The value. Raises BadJson, also for values that nothing could store or go through."""
    try:
        value = json.loads(content)
        json.dumps(value, ensure_ascii=False).encode()  # half a character is JSON, but no text
    except RecursionError:
        raise BadJson("nested too deep") from None
    except UnicodeEncodeError:
        raise BadJson("not text: it has half of a character (a lone surrogate)") from None
    except ValueError as error:
        raise BadJson(f"not JSON ({error})") from None
    return value


def lines(file: BinaryIO, longest: int) -> Iterator[Line]:
    """Every line that is not blank, in linear time; no more than `longest` bytes of it are kept in memory."""
    number = start = 0
    while piece := file.readline(longest + 1):
        number += 1
        content, size = piece, len(piece)
        while not piece.endswith(b"\n") and (piece := file.readline(longest)):
            size += len(piece)
        if size > longest or content.strip():
            kept = content if size <= longest else None
            yield Line(number=number, start=start, size=size, content=kept)
        start += size
