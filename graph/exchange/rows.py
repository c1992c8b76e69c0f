"""The rows of an exchanged graph: as strict as what is stored needs, as lenient as other tools' files are."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, model_validator

from graph.extraction.llm.schema import Name, Text, Words
from graph.models import DecisionKind
from graph.resolution.resolve import OF_DOCUMENT
from graph.values.names import key

LONGEST_NAME = 300
NAMED_PROBLEMS = 20  # malformed lines that are named; all are counted


def _whole(value: Any) -> Any:
    if isinstance(value, str) and not key(value):
        raise ValueError("a name needs a letter or a digit")
    return value


WholeName = Annotated[Name, BeforeValidator(_whole), Field(max_length=LONGEST_NAME)]
Place = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]


class GivenEntity(BaseModel):
    """A name alone, or an object; `at` and `said` are spans in the chunk."""

    name: WholeName
    types: Words = Field(validation_alias=AliasChoices("types", "type"))
    description: Text
    at: Place | None = None
    said: Place | None = None
    defines: bool = False

    @model_validator(mode="before")
    @classmethod
    def _of_a_name(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


class GivenRelation(BaseModel):
    """A triple of source, words and target, or an object."""

    source: WholeName
    target: WholeName
    type: Text
    description: Text
    keywords: Words
    strength: float = Field(
        default=1.0, validation_alias=AliasChoices("strength", "weight"), allow_inf_nan=False, ge=0
    )
    said: Place | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_a_triple(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) != 3 or not all(isinstance(part, str) for part in value):
            raise ValueError("a triple has three texts: source, relation, target")
        source, said, target = value
        return {
            "source": source,
            "target": target,
            "keywords": [said] if said.strip() else [],
            "description": f"{source} {said} {target}",
        }


class GraphRow(BaseModel):
    """What one row says about a document, or about one chunk of it."""

    document: int | str | None = None
    sha256: str = ""
    title: str = ""
    text: str = Field(default="", validation_alias=AliasChoices("text", "passage"))
    chunk: int | None = None
    chunk_sha256: str = ""
    extractor: str = Field(default="", max_length=80)
    entities: list[GivenEntity]
    relations: list[GivenRelation]

    def fits(self, length: int) -> bool:
        """Whether every part says its place in a chunk of that length."""
        spans = [span for e in self.entities for span in (e.at, e.said)] + [r.said for r in self.relations]
        return all(span and span[0] <= span[1] <= length for span in spans)

    @model_validator(mode="after")
    def _names_a_document(self) -> "GraphRow":
        if not (self.document or self.sha256 or self.title or self.text):
            raise ValueError("it names no document: give “sha256”, “document” or “title”")
        return self


class DecisionRow(BaseModel):
    """A person's decision about names."""

    decision: DecisionKind
    key: WholeName
    sense: str = ""
    other_key: str = Field(default="", max_length=200)
    other_sense: str = ""
    sha256: str = ""
    name: str = Field(default="", max_length=LONGEST_NAME)
    types: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Imported:
    """What an import did. `malformed` counts rows and parts of rows that were passed over; `problems` names
    the first of them. `unknown` are rows about documents that are not here or not ready.
    """

    rows: int = 0
    documents: int = 0
    entities: int = 0
    relations: int = 0
    decisions: int = 0
    malformed: int = 0
    unknown: int = 0
    unplaced: int = 0
    refused: list[tuple[int, str]] = field(default_factory=list)

    def refuse(self, line: int, problem: str) -> None:
        self.malformed += 1
        if len(self.refused) < NAMED_PROBLEMS:
            self.refused.append((line, problem))

    @property
    def problems(self) -> list[str]:
        """In the order of the lines, which are read more than once."""
        return [f"line {line}: {problem}" for line, problem in sorted(self.refused, key=lambda row: row[0])]

    def as_json(self) -> dict[str, Any]:
        told = asdict(self) | {"problems": self.problems}
        del told["refused"]
        return told


def translated_sense(sense: str, names: Mapping[str, str]) -> str:
    """A sense that speaks of a document, with the document's number and hash exchanged."""
    if not sense.startswith(OF_DOCUMENT):
        return sense
    of = sense.removeprefix(OF_DOCUMENT)
    return OF_DOCUMENT + names.get(of, of)
