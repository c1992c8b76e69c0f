"""Writes a pack: all that it holds is made in a folder of its own, and goes into the archive file by file."""

import json
import shutil
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile, gettempdir
from typing import IO, Any

from chat.exports import as_markdown, on_a_line
from chat.web.word_file import WordFile
from jobs.fair_slots import FairSlots
from packs.answer_page import answer_page
from packs.archive import ArchiveWriter
from packs.content import Content
from packs.facts import facts_of, now
from packs.keys import own_key
from packs.pdf import as_pdf
from packs.pictures import PackPictures
from packs.sealing import seal
from packs.verification import FACTS
from packs.verifying_page import VERIFYING_PAGE, verifying_page

FOLDER = "svq-pack-"  # what the names of the folders begin with
LEFT_AFTER = 3_600  # seconds; no pack takes so long
# In each web process: a pack takes a core for seconds.
WRITING = FairSlots(2, waiting_each=3)


def write_pack(content: Content) -> IO[bytes]:
    """A file to read from its beginning; it is gone once it is closed. Those who want one take turns.

    Raises Busy, and ValidationError where the PDF takes too long.
    """
    _remove_left_folders()
    with WRITING.taken_by(content.conversation.user_id), TemporaryDirectory(prefix=FOLDER) as name:
        file = TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
        try:
            _write(content, ArchiveWriter(file), Path(name))
        except BaseException:
            file.close()
            raise
    file.seek(0)
    return file


def _remove_left_folders() -> None:
    """Those of a process that was killed: what is in them may have been deleted since."""
    for folder in Path(gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):  # gone meanwhile, or of another account
            if time.time() - folder.stat().st_mtime > LEFT_AFTER:
                shutil.rmtree(folder)


def _write(content: Content, archive: ArchiveWriter, folder: Path) -> None:
    pictures, written, key = PackPictures(content, folder), now(), own_key()
    facts = facts_of(content, pictures.by_quote, pictures.left_out, written)
    archive.add(FACTS, json.dumps(facts, ensure_ascii=False, indent=1).encode() + b"\n")
    page = folder / "answer.html"
    with page.open("w", encoding="utf-8") as html:
        html.writelines(answer_page(content, facts, pictures, key, written))
    archive.add(page.name, page)
    archive.add("answer.md", _markdown(content, facts).encode())
    archive.add("answer.pdf", as_pdf(content, facts, key, folder))
    archive.add("answer.docx", WordFile(pictures).written(content.title, content.turns))
    for picture in pictures:
        archive.add(picture.name, picture.path)
    archive.add(VERIFYING_PAGE, verifying_page(key).encode())
    seal(archive)


def _markdown(content: Content, facts: dict[str, Any]) -> str:
    """As the export, with the hashes of the documents."""
    documents = [
        f"- {on_a_line(each['title'])}, SHA-256 {each['sha256'] or 'no longer known'}. {each['said']}"
        for each in facts["documents"]
    ]
    told = "\n".join(map(as_markdown, content.turns))
    return "\n".join([told, "## Documents cited", "", *documents]) + "\n" if documents else told
