"""One part of a document read by a model for several columns at once; what it quotes is looked up by code."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from citations.match import locate
from desks.tables.filling.parts import Part
from desks.tables.filling.proof import Found
from desks.tables.models import LONGEST_VALUE, Cell
from formats.base.characters import one_line
from localization.stored import said
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from text.normal_forms.storable import storable
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "read_part.md"
LONGEST_CELL = 200  # tokens of an answer that are reckoned with for each column


class WrittenCell(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    column: str
    value: str
    quote: str


class WrittenCells(BaseModel):
    """The model's answer, in the keys that it was given."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    cells: list[WrittenCell]


def asked(title: str, cells: Sequence[Cell], part: Part) -> list[Message]:
    """What the model is sent to read a part for these columns."""
    columns = {
        key: {"name": cell.column.name, "question": cell.column.question, "so_far": cell.value}
        for key, cell in _by_key(cells).items()
    }
    told = {"document": title, "columns": columns, "text": part.text}
    return [
        Message(role="system", content=render(PROMPT)),
        Message(role="user", content=json.dumps(told, ensure_ascii=False)),
    ]


async def read_part(
    model: StructuredModel, messages: Sequence[Message], cells: Sequence[Cell], part: Part
) -> tuple[Mapping[int, Found | None], Usage]:
    """What the part says, by the cell's number; None for a value whose quote is nowhere in it. `messages`:
    as `asked` makes them.

    Within `async with model:`. Raises ProviderError, also for an answer that cannot be read.
    """
    keys = _by_key(cells)
    answer, usage = await model.complete(messages, WrittenCells.model_json_schema())
    try:
        written = WrittenCells.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError) as error:
        raise ProviderError(
            said("{name} did not answer in the form it was asked for.", name=model.name)
        ) from error
    return {keys[one.column].pk: _found(one, part) for one in written.cells if one.column in keys}, usage


def _by_key(cells: Sequence[Cell]) -> dict[str, Cell]:
    return {str(place): cell for place, cell in enumerate(cells, start=1)}


def _found(written: WrittenCell, part: Part) -> Found | None:
    located = locate(storable(written.quote), part.text)
    value = one_line(written.value)[:LONGEST_VALUE]
    if located is None or not value:
        return None
    return Found(value=value, start=part.start + located.start, quote=located.quote, method=located.method)
