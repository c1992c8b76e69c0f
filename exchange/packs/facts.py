"""pack.json: what a pack says, for programs. docs/reference/evidence-pack.md tells its fields; they are an
interface: some may be added, none is renamed or removed within a version of the format.
"""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from answering.extractive.model import QuotesModel
from answering.prompts_used import prompts_sha256
from chat.checkers import claim_checked, words_checked
from chat.exports import answer_of, citation_json, differ_json, said_beside
from chat.models import Citation, Turn, TurnStatus
from chat.web.files.quote_pictures import not_shown
from chat.wording import headline, introduction, statements, unsourced
from citations.choices import OnPage
from datasources.models import Document, DocumentStatus
from exchange.packs.content import Content, shown_citations
from exchange.packs.manifest import FORMAT, VERSION
from exchange.packs.pictures import PackPictures, PicturesByQuote
from reader.page_images import said_of_pages

NO_MODEL = gettext_noop("No language model: SVQ copied these passages from the documents.")
NO_MODEL_AT_ALL = gettext_noop("No language model was asked.")
PROMPTS_UNKNOWN = gettext_noop("The hash of its prompts was not kept.")
CURRENT, REPLACED, DELETED = "current", "replaced", "deleted"
COPIED, OPENED = gettext_noop("when this copy was made"), gettext_noop("when this page was opened")
SAID_OF_DOCUMENT = {
    CURRENT: gettext_noop("It had not changed {when}."),
    REPLACED: gettext_noop("A newer version has replaced the document; the quote is from this one."),
    DELETED: gettext_noop("The document was deleted. The quote is kept, its page is not shown."),
}
SAID_OF_QUOTE = {
    CURRENT: gettext_noop("The document had not changed {when}."),
    REPLACED: gettext_noop("The document has been replaced by a newer version since."),
    DELETED: gettext_noop("The document has been deleted since."),
}


def facts_of(content: Content, pictures: PackPictures, written: datetime) -> dict[str, Any]:
    """pictures: of the quotes of this content."""
    by_quote = pictures.by_quote
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": content.kind,
        "title": content.title,
        "written": written.isoformat(),
        "svq": svq_version(),
        "collection": content.collection,
        "masked": content.is_masked,
        "answers": [answer_facts(turn, by_quote) for turn in content.turns],
        "documents": document_facts(content),
        "pictures_left_out": pictures.left_out,
        "pictures_hidden": pictures.hidden,
        "pictures_said": not_shown(pictures),
    }


def answer_facts(turn: Turn, pictures: PicturesByQuote, when: str = COPIED) -> dict[str, Any]:
    """pictures: the files that show its quotes, if any. when: as a reader says when it was looked up."""
    nothing = turn.status == TurnStatus.NOT_FOUND
    return {
        "id": str(turn.pk),
        "number": turn.number,
        "question": turn.question,
        "understood_as": turn.standalone,
        "asked": turn.created.isoformat(),
        "answered": turn.finished and turn.finished.isoformat(),
        "repeats": turn.reused_from_id and str(turn.reused_from_id),
        "status": turn.status,
        "headline": headline(turn),
        "introduction": introduction(turn),
        "answer": "" if nothing else answer_of(turn),
        "remarks": said_beside(turn),
        "sentences_without_source": unsourced(turn),
        "differ": differ_json(turn),
        "verdict": turn.verdict,
        "model": model_of(turn),
        "citations": [
            _citation(each, pictures.get((turn.pk, each.n), ()), when) for each in shown_citations(turn)
        ],
    }


def _citation(citation: Citation, pictures: Sequence[Mapping[str, Any]], when: str) -> dict[str, Any]:
    document = citation.document
    told = citation_json(citation)
    state = state_of(document) if citation.on_page != OnPage.ABSENT else None
    told["document"] |= {
        "filename": document.filename if document else None,
        "sha256": document.sha256 if document else None,
        "state": state,
    }
    checked = [
        words_checked(citation),
        claim_checked(citation),
        said_of_pages(document) if state else "",
        _(SAID_OF_QUOTE[state]).format(when=_(when)) if state else "",
    ]
    return told | {
        "name": citation.name,
        "where": citation.where,
        "said": statements(citation),
        "checked": [line for line in checked if line],
        "boxes": citation.boxes,
        "pictures": list(pictures),
    }


def model_of(turn: Turn) -> dict[str, Any]:
    """The language model that wrote the answer; without one, `name` is null and `said` says so."""
    if turn.quotes_only or turn.model in ("", QuotesModel.name):
        copied = turn.quotes_only and turn.status != TurnStatus.NOT_FOUND
        said = _(NO_MODEL) if copied else _(NO_MODEL_AT_ALL)
        return {"name": None, "prompts_sha256": None, "prompts_are_those_of_this_svq": None, "said": said}
    prompts = _(PROMPTS_UNKNOWN)
    if turn.prompts:
        prompts = _("Its prompts: SHA-256 {hash}.").format(hash=turn.prompts)
    return {
        "name": turn.model,
        "prompts_sha256": turn.prompts or None,
        "prompts_are_those_of_this_svq": turn.prompts == prompts_sha256() if turn.prompts else None,
        "said": " ".join([_("Answered by {model}.").format(model=turn.model), prompts]),
    }


def document_facts(content: Content, when: str = COPIED) -> list[dict[str, Any]]:
    """Each once; of one whose row is gone, only the name that the citation kept."""
    found = [
        {
            "id": document.pk,
            "title": document.title,
            "filename": document.filename,
            "type": document.mime,
            "bytes": document.size,
            "sha256": document.sha256,
            "added": document.created.isoformat(),
            **_state(state_of(document), when),
        }
        for document in content.documents
    ]
    nothing = dict.fromkeys(("id", "filename", "type", "bytes", "sha256", "added"))
    return [*found, *({**nothing, "title": title, **_state(DELETED, when)} for title in content.gone)]


def state_of(document: Document | None) -> str:
    """Whether a document is as it was when it was quoted: its file never changes, but it may be replaced."""
    if document is None or document.status == DocumentStatus.DELETED:
        return DELETED
    return REPLACED if document.status == DocumentStatus.SUPERSEDED else CURRENT


def _state(state: str, when: str) -> dict[str, str]:
    return {"state": state, "said": _(SAID_OF_DOCUMENT[state]).format(when=_(when))}


def now() -> datetime:
    """The moment at which a pack is written, to the second."""
    return timezone.localtime().replace(microsecond=0)


@cache
def svq_version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])
