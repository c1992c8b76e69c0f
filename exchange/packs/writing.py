"""Writes a pack: all that it holds is made in a folder of its own, and goes into the archive file by file."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.exports import Beside, as_markdown, on_a_line
from chat.web.files.word_file import WordFile
from exchange.packs.answer_page import answer_page
from exchange.packs.archive import MOST_BYTES, ArchiveWriter, TooLarge
from exchange.packs.beside import beside_answers, ending, hash_of
from exchange.packs.content import Content
from exchange.packs.facts import facts_of, now
from exchange.packs.keys import own_key
from exchange.packs.pdf import as_pdf
from exchange.packs.pictures import PackPictures
from exchange.packs.sealing import seal
from exchange.packs.verification import FACTS
from exchange.packs.verifying_page import VERIFYING_PAGE, verifying_page
from jobs.fair_slots import FairSlots
from localization.in_english import in_english

FOLDER = "svq-pack-"  # what the names of the folders begin with
LEFT_AFTER = 3_600  # seconds; no pack takes so long
LARGE_FILE = gettext_noop(
    "This evidence pack would be larger than one can be ({n} MB). Take the packs of single answers."
)
# In each web process: a pack takes a core for seconds.
WRITING = FairSlots(2, waiting_each=3)


def write_pack(content: Content) -> IO[bytes]:
    """A file to read from its beginning; it is gone once it is closed. Those who want one take turns.

    Raises Busy, and ValidationError where the PDF takes too long or the pack becomes too large.
    """
    with WRITING.taken_by(content.conversation.user_id), TemporaryDirectory(prefix=FOLDER) as name:
        file = TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
        try:
            _write(content, ArchiveWriter(file), Path(name))
        except TooLarge as error:
            file.close()
            raise ValidationError(_(LARGE_FILE).format(n=MOST_BYTES // 2**20), code="pack_large") from error
        except BaseException:
            file.close()
            raise
    file.seek(0)
    return file


def _write(content: Content, archive: ArchiveWriter, folder: Path) -> None:
    """All is in the language of now, but pack.json in English: programs read it."""
    pictures, written, key = PackPictures(content, folder), now(), own_key()
    with in_english():
        told = facts_of(content, pictures, written)
    archive.add(FACTS, json.dumps(told, ensure_ascii=False, indent=1).encode() + b"\n")
    facts = facts_of(content, pictures, written)
    beside, end = beside_answers(facts), ending(facts, key)
    page = folder / "answer.html"
    with page.open("w", encoding="utf-8") as html:
        html.writelines(answer_page(content, facts, pictures, key, written))
    archive.add(page.name, page)
    archive.add("answer.md", _markdown(content, facts, beside, end).encode())
    archive.add("answer.pdf", as_pdf(content, facts, key, folder))
    word = WordFile(pictures, beside=beside, end=end)
    archive.add("answer.docx", word.written(content.title, content.turns))
    for picture in pictures:
        archive.add(picture.name, picture.path)
    archive.add(VERIFYING_PAGE, verifying_page(key).encode())
    seal(archive)


def _markdown(
    content: Content, facts: Mapping[str, Any], beside: Mapping[UUID, Beside], end: Sequence[str]
) -> str:
    """As the export, with who has checked what, and the hashes of the documents."""
    documents = [
        f"- {on_a_line(each['title'])}. {each['said']} {hash_of(each)}" for each in facts["documents"]
    ]
    told = [as_markdown(turn, beside[turn.pk]) for turn in content.turns]
    cited = [f"## {_('Documents cited')}", "", *documents, ""] if documents else []
    return "\n".join([*told, *cited, *(line for said in end for line in (on_a_line(said), ""))])
