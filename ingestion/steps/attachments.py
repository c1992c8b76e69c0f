"""The step in which files attached to a mail, or packed in an archive, become documents that belong to it."""

import io
import logging
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from datasources.models import Document, DocumentStatus
from datasources.models.documents import name_of_file
from datasources.models.tags import tags_in, with_tags
from datasources.refusals import sentence_of
from datasources.storage.files import source_file
from formats import ExtractionError
from formats.base.values import AttachedFile
from formats.registry import format_of, identify, sample_of
from ingestion.adding.allowance import Upload
from ingestion.adding.upload import bare_name, sha256_of, store
from ingestion.models import Attachment
from ingestion.run import DocumentRun
from ingestion.step import Step
from ingestion.steps.extract import reading_limits
from localization.stored import LONGEST, said, said_of, sentences, words_of

MOST_IN_ALL = 200  # files of a mail that become documents, with those of the mails attached to it
DEEPEST = 3  # mails and archives, one in the other
LARGEST = 64 * 1024 * 1024  # bytes

logger = logging.getLogger(__name__)


class Attachments(Step):
    name = "attachments"
    label = gettext_lazy("Attachments")
    status = DocumentStatus.EXTRACTING
    counted = "page_count"
    is_measured = False

    def run(self, run: DocumentRun) -> None:
        """Take in the files that are not there yet. A mail whose attachments cannot be opened is read all the
        same.
        """
        mail = run.document
        if mail.passage is not None:
            return
        form = format_of(mail.mime)
        known = set(mail.attachments.values_list("position", flat=True))
        try:
            with (
                source_file(mail) as file,
                closing(
                    form.attachments(file, most=form.most_files, largest=largest(), limits=reading_limits())
                ) as files,
            ):
                for position, attached in enumerate(files, start=1):
                    if position not in known:
                        take_in(run, position, attached)
                    if position == form.most_files and attached.left_out and position + 1 not in known:
                        tell_left_out(run, position, attached.left_out)
        except ExtractionError as error:
            logger.warning("attachments of document %s: %s", mail.pk, error)


def tell_left_out(run: DocumentRun, taken: int, count: int) -> None:
    with run.writing():
        Attachment.objects.create(
            mail=run.document,
            position=taken + 1,
            filename="",
            size=0,
            **_kept(
                sentences(
                    said_of("{n} more file.", "{n} more files.", count),
                    said("SVQ takes in the first {n} files.", n=taken),
                )
            ),
        )


def _kept(refusal: str) -> dict[str, Any]:
    """The columns of an attachment that no document was made of."""
    return {"refusal": refusal[:LONGEST], "refusal_words": words_of(refusal)}


def take_in(run: DocumentRun, position: int, attached: AttachedFile) -> None:
    """Make a document of one attached file, or note why there is none."""
    mail = run.document
    filename = bare_name(attached.name)

    def note(document: Document | None, refusal: str = "") -> None:
        Attachment.objects.create(
            mail=mail,
            position=position,
            filename=filename,
            size=attached.size,
            document=document,
            **_kept(refusal),
        )

    try:
        document, content = document_of(mail, filename, attached)
        usage = Upload(person=mail.uploaded_by, size=attached.size)
        accepted = store(document, content, usage=usage, within=run.writing_in_datasource, then=note)
    except ValidationError as refusal:
        with run.writing_in_datasource():
            note(None, sentence_of(refusal))
        return
    if accepted.duplicate:
        with run.writing_in_datasource():
            note(accepted.document)


def largest() -> int:
    """Bytes of a file in a mail or an archive."""
    return min(LARGEST, settings.MAX_UPLOAD_BYTES)


def document_of(mail: Document, filename: str, attached: AttachedFile) -> tuple[Document, io.BytesIO]:
    """A new document and its content. Raises ValidationError for what is not taken in."""
    if attached.content is None:
        raise ValidationError(said("It is larger than {n} MB.", n=largest() // 2**20))
    if not attached.content:
        raise ValidationError(said("It is empty."))
    content = io.BytesIO(attached.content)
    form = identify(filename, sample_of(content))
    if form is None:
        raise ValidationError(said("SVQ cannot read files of this kind."))
    above = list(mails_above(mail))
    if len(above) > DEEPEST:
        raise ValidationError(
            said("It lies in more than {n} mails or archives, one in the other.", n=DEEPEST)
        )
    most = max(MOST_IN_ALL, format_of(above[-1].mime).most_files)
    if count_below(above[-1]) >= most:
        raise ValidationError(
            said("It belongs to a file with more than {n} files, counting those inside others.", n=most)
        )
    document = Document(
        datasource=mail.datasource,
        title=name_of_file(filename),
        filename=filename,
        mime=form.mime,
        size=attached.size,
        sha256=sha256_of(content),
        uploaded_by=mail.uploaded_by,
        part_of=mail,
        metadata=with_tags({}, tags_in(mail.metadata)),
    )
    return document, content


def mails_above(mail: Document) -> Iterator[Document]:
    """The mail, the mail that it is attached to, and so on."""
    above: Document | None = mail
    while above is not None:
        yield above
        above = above.part_of


def count_below(mail: Document) -> int:
    """How many documents belong to the mail, directly or through a mail attached to it."""
    count, level = 0, [mail.pk]
    for _ in range(DEEPEST):
        level = list(Document.objects.filter(part_of__in=level).values_list("pk", flat=True))
        count += len(level)
    return count
