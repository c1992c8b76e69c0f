"""A chat model that says in a sentence what a text says."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from graph.extraction.llm.extractor import Asker
from graph.extraction.llm.schema import Unreadable, problems
from summaries.models import LONGEST
from text.normal_forms.storable import one_line
from text.prompt import render

PROMPTS = Path(__file__).parent / "prompts"


class Written(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    summary: str


@dataclass(slots=True, kw_only=True)
class Summariser(Asker[str]):
    """`subject` is “chunk” or “document”: what the texts are."""

    subject: str

    def __post_init__(self) -> None:
        self.prepare(render(PROMPTS / f"{self.subject}.md"), Written.model_json_schema())

    def parse(self, answer: str) -> str:
        try:
            written = Written.model_validate(json_repair.loads(answer))
        except (ValidationError, RecursionError) as error:
            said = problems(error) if isinstance(error, ValidationError) else "It is nested too deep."
            raise Unreadable(said) from error
        summary = one_line(written.summary)
        if not summary or len(summary) > LONGEST:
            raise Unreadable(f"“summary” has {len(summary)} characters; 1 to {LONGEST} are allowed.")
        return summary


def of_chunk(title: str, section: str, text: str) -> str:
    """What the model is given of a chunk."""
    return json.dumps({"document": title, "section": section, "text": text}, ensure_ascii=False)


def of_document(title: str, summaries: Sequence[str]) -> str:
    """What the model is given of a document."""
    return json.dumps({"document": title, "passages": summaries}, ensure_ascii=False)
