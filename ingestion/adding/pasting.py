"""A text that a person pastes becomes a document like an uploaded file of plain text."""

import io
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from datasources.models import Datasource, Document
from formats.base.characters import clean_text
from formats.plain_text.format import PLAIN_TEXT
from ingestion.adding.allowance import Upload
from ingestion.adding.describing import checked_title
from ingestion.adding.upload import Accepted, bare_name, sha256_of, store
from localization.numbers import numeral
from text.normal_forms.storable import storable

if TYPE_CHECKING:
    from accounts.models import User

LONGEST = 300_000  # characters: a form with more is refused before it gets here


def add_text(datasource: Datasource, user: "User", title: str, text: str) -> Accepted:
    """Raises ValidationError, with nothing stored."""
    if not title.strip():
        raise ValidationError(_("The text needs a name. Nothing was added."), code="name_missing")
    title = checked_title(title)
    text = clean_text(str(storable(text)), kept="\t").strip("\n")
    if not text.strip():
        raise ValidationError(_("There is no text. Paste some, then add it."), code="text_missing")
    if len(text) > LONGEST:
        raise ValidationError(
            ngettext(
                "The text has {n} character; the limit is {most}. Save it as .txt and add the file.",
                "The text has {n} characters; the limit is {most}. Save it as .txt and add the file.",
                len(text),
            ).format(n=numeral(len(text)), most=numeral(LONGEST)),
            code="text_long",
        )
    file = io.BytesIO(text.encode())
    document = Document(
        datasource=datasource,
        title=title,
        filename=bare_name(f"{title.replace('/', '-')}{PLAIN_TEXT.suffixes[0]}"),
        mime=PLAIN_TEXT.mime,
        size=len(file.getvalue()),
        sha256=sha256_of(file),
        uploaded_by=user,
    )
    return store(document, file, usage=Upload(person=user, size=document.size), then=lambda _: None)
