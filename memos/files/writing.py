"""Writes a memo in one of its forms. Pages are drawn and set for it, so people take turns, as for packs."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from chat.exports import MARKDOWN
from exchange.packs.writing import FOLDER, WRITING
from formats.pdf.format import PDF
from formats.word.format import WORD
from memos.crops import crops_of
from memos.files.content import content_of
from memos.files.markdown import as_markdown
from memos.files.pdf import as_pdf
from memos.files.word import as_word
from memos.models import Memo


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """name: what people call it."""

    name: str
    mime: str


FORMS = {
    "docx": Form(name="Word", mime=WORD.mime),
    "pdf": Form(name="PDF", mime=PDF.mime),
    "md": Form(name="Markdown", mime=f"{MARKDOWN}; charset=utf-8"),
}


def written(memo: Memo, form: str, person: int) -> bytes:
    """In the language of now. form: one of FORMS. person: the id of whoever takes it. Raises Busy, and
    ValidationError where the PDF takes too long.
    """
    content = content_of(memo)
    if form == "md":
        return as_markdown(content).encode()
    with WRITING.taken_by(person):
        crops = crops_of(memo, content.sources, person)
        if form == "docx":
            return as_word(content, crops)
        with TemporaryDirectory(prefix=FOLDER) as folder:
            return as_pdf(content, crops, Path(folder))
