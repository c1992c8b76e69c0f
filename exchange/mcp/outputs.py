"""What the data of each tool's result has in it, as JSON Schemas that programs can rely on.

They only describe: a result is made elsewhere, and the client of the protocol checks it against them.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from datasources.models.documents import READ_ELSEWHERE


class Output(BaseModel):
    model_config = ConfigDict(extra="allow")  # what is added later breaks nobody


class Passage(Output):
    n: int = Field(description="By which to cite it.")
    document: int
    title: str
    pages: list[int]
    chunk: int
    score: float
    text: str
    read_elsewhere: bool = Field(description=READ_ELSEWHERE)
    link: str = Field(description="For a person: the page with the words marked.")
    resource: str = Field(description="For a program: the page as a resource.")


class Passages(Output):
    passages: list[Passage]


class Page(Output):
    document: int
    title: str
    page: int
    pages: int
    text: str
    read_elsewhere: bool = Field(description=READ_ELSEWHERE)
    link: str
    resource: str


class ListedDocument(Output):
    id: int
    title: str
    file: str
    pages: int
    status: str
    read_elsewhere: bool = Field(description=READ_ELSEWHERE)
    link: str = Field(description="Empty where the person may only ask.")
    resource: str = Field(description="Empty where the person may only ask.")


class ListedDatasource(Output):
    id: int
    name: str
    description: str
    owner: str
    documents: int
    link: str
    document_list: list[ListedDocument] = Field(default=[], description="Where its number was given.")


class Datasources(Output):
    datasources: list[ListedDatasource]


class Thing(Output):
    entity: int
    name: str
    types: list[str]
    description: str
    score: float
    passages: list[int] = Field(description="Those that say so, by their n.")


class Connection(Output):
    relation: int
    source: str
    target: str
    description: str
    score: float
    passages: list[int] = Field(description="Those that say so, by their n.")


class Graph(Output):
    entities: list[Thing]
    relations: list[Connection]
    passages: list[Passage]


class Answer(Output):
    """Of one that is still being written there is `turn`, `status` and `link` alone."""

    turn: str
    status: str
    link: str
    answer: str = ""
    conversation: str = ""
    citations: list[dict[str, Any]] = Field(
        default=[], description="Each with its `quote`, `on_page`, `support`, `document`, `pages` and `link`."
    )


def schema_of(output: type[Output]) -> dict[str, Any]:
    schema = output.model_json_schema()
    schema.pop("title", None)
    return schema
