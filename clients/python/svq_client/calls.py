"""The addresses of SVQ's REST interface: each function builds a request and sends nothing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from svq_client.call import Call, FileToSend, Page, get, listed, one, post
from svq_client.errors import SvqError
from svq_client.options import QuestionOptions, SearchOptions
from svq_client.reading import each, read, unexpected
from svq_client.replies import Reply, json_of
from svq_client.values import (
    Answer,
    Box,
    Chunk,
    Citation,
    Datasource,
    Deletion,
    Document,
    Passage,
    Proof,
    Retrieval,
    Upload,
)

WEBP, EVENT_STREAM = "image/webp", "text/event-stream"


def number(one: int | Datasource | Document) -> int:
    return one if isinstance(one, int) else one.id


def numbers(documents: Iterable[int | Document | Upload]) -> tuple[int, ...]:
    """Each once, in their order; an upload stands for all its documents."""
    found: dict[int, None] = {}
    for named in documents:
        found.update(dict.fromkeys(named.documents if isinstance(named, Upload) else [number(named)]))
    return tuple(found)


# --- datasources and documents -----------------------------------------------------------------------------
def datasources() -> Call[Page[Datasource]]:
    return listed("data-sources", Datasource)


def datasource(which: int) -> Call[Datasource]:
    return get(f"data-sources/{which}", one(Datasource))


def create_datasource(name: str, description: str) -> Call[Datasource]:
    return post("data-sources", one(Datasource), {"name": name, "description": description})


def documents(which: int | Datasource, status: Sequence[str], q: str) -> Call[Page[Document]]:
    params = [("status", one) for one in status] + ([("q", q)] if q else [])
    return listed(f"data-sources/{number(which)}/documents", Document, tuple(params))


def document(which: int) -> Call[Document]:
    return get(f"documents/{which}", one(Document))


def chunks(which: int | Document) -> Call[Page[Chunk]]:
    return listed(f"documents/{number(which)}/chunks", Chunk)


def upload(which: int | Datasource, file: FileToSend, metadata: Mapping[str, Any] | None) -> Call[Upload]:
    def uploaded(reply: Reply) -> Upload:
        told = json_of(reply)
        rows = each(Upload, told.get("files") if isinstance(told, dict) else None)
        if len(rows) != 1:
            raise unexpected("the one file that was sent")
        return rows[0]

    path = f"/api/v1/data-sources/{number(which)}/documents"
    return Call("POST", path, uploaded, file=file, metadata=metadata)


def delete_documents(
    which: int | Datasource, gone: Iterable[int | Document | Upload]
) -> Call[tuple[Deletion, ...]]:
    def receipts(reply: Reply) -> tuple[Deletion, ...]:
        told = json_of(reply)
        return each(Deletion, told.get("deletions") if isinstance(told, dict) else None)

    return post(f"data-sources/{number(which)}/documents/delete", receipts, {"documents": numbers(gone)})


def deletion(which: str) -> Call[Deletion]:
    return get(f"deletions/{quote(which, safe='')}", one(Deletion))


# --- passages ----------------------------------------------------------------------------------------------
SENT_AS = {  # the options of a search that are sent as they are given
    "k": "similarityTopK",
    "engine": "engineName",
    "min_similarity": "grade",
    "alpha": "alpha",
    "filters": "filters",
    "expand": "expand",
}


def retrieve(query: str, options: SearchOptions) -> Call[Retrieval]:
    if unknown := sorted(options.keys() - SENT_AS.keys() - {"documents", "rerank"}):
        raise TypeError(f"There is no option {unknown[0]!r} of a search.")
    given = {name: value for name, value in options.items() if value is not None}
    sent_as_given = {SENT_AS[name]: value for name, value in given.items() if name in SENT_AS}
    body: dict[str, Any] = {"query": query} | sent_as_given
    if (documents := options.get("documents")) is not None:
        body["docIds"] = [one.id if isinstance(one, Document) else one for one in documents]
    if "rerank" in given:
        body["rerank"] = {"strategy": given["rerank"]}
    # Asking the language model is counted, so it is not sent again by itself.
    asks = bool(given.get("expand")) or given.get("rerank") == "llm"
    return post("rag/retrieve", _retrieval, body, is_reading=not asks)


def _retrieval(reply: Reply) -> Retrieval:
    told = json_of(reply)
    try:
        pipeline = told["pipeline"]
        return Retrieval(
            passages=tuple(_passage(row) for row in told["results"]),
            candidates=pipeline["candidatesConsidered"],
            reranked=pipeline["reranked"],
            rerank_failed=pipeline["rerankFailed"],
            wordings=tuple(pipeline["wordings"]),
            expand_failed=pipeline["expandFailed"],
        )
    except (KeyError, TypeError):
        raise unexpected("passages") from None


def _passage(row: Any) -> Passage:
    place = row["metadata"]
    named = {
        "text": row["content"],
        "score": row["score"],
        "document": place["document"],
        "title": place["title"],
        "file_name": place["fileName"],
        "page": place["pageNumber"],
        "chunk": place["chunkId"],
        "kind": place["kind"],
        "read_elsewhere": place.get("read_elsewhere", False),
    }
    return read(Passage, named)


# --- questions ---------------------------------------------------------------------------------------------
def begin(which: int | Datasource, question: str, options: QuestionOptions) -> Call[str]:
    """The number of the turn: the answer is not waited for."""
    body = {"question": question, **options, "wait": False}
    if (documents := options.get("documents")) is not None:
        body["documents"] = [number(one) for one in documents]
    body = {name: value for name, value in body.items() if value is not None}

    def turn(reply: Reply) -> str:
        told = json_of(reply)
        if not isinstance(told, dict) or not isinstance(told.get("id"), str):
            raise unexpected("the number of the question")
        return str(told["id"])

    return post(f"data-sources/{number(which)}/ask", turn, body)


def answer(turn: str) -> Call[Answer]:
    return get(f"turns/{quote(turn, safe='')}", _answer)


def stop(turn: str) -> Call[Answer]:
    return post(f"turns/{quote(turn, safe='')}/stop", _answer, None)


def _answer(reply: Reply) -> Answer:
    told = json_of(reply)
    try:
        citations = [one | {"turn": told["id"]} for one in told["citations"]]
        named = {"text": told["answer"], "verdict": told["verdict"] or None, "citations": citations}
    except (KeyError, TypeError):
        raise unexpected("an answer") from None
    return read(Answer, told | named)


def events(turn: str, last: str) -> Call[None]:
    """last: the id of the last event that was read; empty for all."""
    params = (("channel", f"turn:{turn}"),)
    return Call(
        "GET",
        "/events/",
        lambda _: None,
        params=params,
        accept=EVENT_STREAM,
        last_event=last,
        is_reading=True,
    )


# --- proof -------------------------------------------------------------------------------------------------
def proof(citation: Citation) -> Call[Proof]:
    def placed(reply: Reply) -> Proof:
        told = json_of(reply)
        try:
            boxes = {
                int(page): tuple(Box(*map(float, line)) for line in lines)
                for page, lines in told["boxes"].items()
            }
            crops = tuple(sorted(int(page) for page in told["crops"]))
            return Proof(read(Citation, told | {"turn": citation.turn}), boxes, crops)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise unexpected("the place of a citation") from None

    return get(_address(citation), placed)


def crop(citation: Citation, page: int | None) -> Call[bytes]:
    """page: one of the citation's; the first if left out. Raises SvqError `no_page` where it has none."""
    if page is None and not citation.pages:
        raise SvqError("no_page", "This citation has no page to show.", "Read its quote in the citation.")
    shown = citation.pages[0] if page is None else page
    return get(f"{_address(citation)}/pages/{shown}/crop", lambda reply: reply.body, WEBP)


def _address(citation: Citation) -> str:
    return f"turns/{quote(citation.turn, safe='')}/citations/{citation.n}"
