"""The shape of a model's answer about a passage, and reading it from whatever the model wrote."""

import json
from typing import Annotated, Any

import json_repair
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from graph.values.ontology import OTHER, Types, type_name
from text.normal_forms.storable import storable

MAX_PROBLEMS = 5  # told to the model when its answer does not fit
DEFAULT_STRENGTH = 5.0
STRENGTHS = (1.0, 10.0)


class Unreadable(Exception):
    """The answer is not what was asked for; the message tells the model what is wrong with it."""


def _listed(value: Any) -> Any:
    """Models write “a, b” for ["a", "b"], and null for nothing."""
    if value is None:
        return []
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _text(value: Any) -> Any:
    return "" if value is None else value


def _strength(value: Any) -> Any:
    return DEFAULT_STRENGTH if value in (None, "") else value


Name = Annotated[str, Field(min_length=1)]
Text = Annotated[str, BeforeValidator(_text), Field(default_factory=str)]
Words = Annotated[list[str], BeforeValidator(_listed), Field(default_factory=list)]
Strength = Annotated[
    float,
    BeforeValidator(_strength),
    Field(default_factory=lambda: DEFAULT_STRENGTH, allow_inf_nan=False),
]


class _Strict(BaseModel):
    """Other properties are not asked for, and ignored when they come."""

    model_config = ConfigDict(str_strip_whitespace=True, json_schema_extra={"additionalProperties": False})


class WrittenEntity(_Strict):
    name: Name
    types: Words
    description: Text


class WrittenRelation(_Strict):
    """`strength` is from 1, mentioned together, to 10, the very point of the passage."""

    source: Name
    target: Name
    type: Text
    description: Text
    keywords: Words
    strength: Strength


class ModelAnswer(_Strict):
    """All that a model says about one passage."""

    entities: list[WrittenEntity] = Field(default_factory=list)
    relations: list[WrittenRelation] = Field(default_factory=list)
    keywords: Words


def schema(types: Types) -> dict[str, Any]:
    """The JSON schema of a ModelAnswer as strict servers accept it: all required, types listed."""
    whole = ModelAnswer.model_json_schema(mode="validation")
    for part in (whole, *whole["$defs"].values()):
        part["required"] = list(part["properties"])
        for property_ in part["properties"].values():
            property_.pop("minLength", None)
            property_.pop("title", None)
    whole["$defs"]["WrittenEntity"]["properties"]["types"]["items"]["enum"] = types.entity_names
    if types.relations:
        whole["$defs"]["WrittenRelation"]["properties"]["type"]["enum"] = types.relation_names
    return whole


def parse(answer: str, types: Types) -> ModelAnswer:
    """The ModelAnswer in a model's answer, its JSON repaired where that can be done. Raises Unreadable.

    Types that are not in the ontology become OTHER.
    """
    try:
        value = json.loads(answer)
    except ValueError:
        value = json_repair.loads(answer)
    if not isinstance(value, dict) or not {"entities", "relations"} & value.keys():
        raise Unreadable("The answer is not a JSON object with “entities” and “relations”.")
    try:
        reading = ModelAnswer.model_validate(storable(value))
    except ValidationError as error:
        raise Unreadable(problems(error)) from error
    return _of_types(reading, types)


def problems(error: ValidationError) -> str:
    lines = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    more = len(lines) - MAX_PROBLEMS
    return "\n".join(lines[:MAX_PROBLEMS] + ([f"and {more} more of that kind"] if more > 0 else []))


def _of_types(reading: ModelAnswer, types: Types) -> ModelAnswer:
    low, high = STRENGTHS
    for entity in reading.entities:
        named = dict.fromkeys(map(type_name, entity.types))
        entity.types = [name for name in named if name in types.entities] or [OTHER]
    for relation in reading.relations:
        name = type_name(relation.type)
        relation.type = name if name in types.relations else ""
        relation.strength = min(max(relation.strength, low), high)
    return reading
