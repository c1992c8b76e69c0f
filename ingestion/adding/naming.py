"""What a document is called that nobody has named: by what its file says of itself, or by the file's name."""

import re
from collections.abc import Mapping
from typing import Any

from datasources.models import Document
from datasources.models.documents import name_of_file
from ingestion.adding.real_titles import is_real_subject, is_real_title, is_real_title_of_site
from text.personal.personal_data import find

# The first page of a web site is called by its server: there any title says more, be it a single word.
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+\.html?")


def own_name(filename: str, properties: Mapping[str, Any]) -> str:
    """What the file calls itself, or a mail is about; "" where that is no name that people would give."""
    subject, title = properties.get("subject", ""), properties.get("title", "")
    is_real = is_real_subject(subject) if subject else is_real_title(title, filename)
    is_real = is_real or (bool(_HOST.fullmatch(filename)) and is_real_title_of_site(title))
    name: str = subject or title
    return name if is_real and not find(name) else ""  # names stand in answers, where such data may be masked


def is_named(document: Document) -> bool:
    """Whether a person has given it a name, or a program that adds documents."""
    told = document.file_properties
    by_itself = (name_of_file(document.filename), told.get("title"), told.get("subject"))
    return document.title not in by_itself


def name_in_receipt(document: Document) -> str:
    """What a receipt calls it once it is deleted: no words of the file, which must not outlive it."""
    return document.title if is_named(document) else name_of_file(document.filename)


def better_name(document: Document, properties: Mapping[str, Any]) -> str:
    """The name for a document that is read for the first time; "" where it keeps the one that it has.

    What keeps it: a name of a person's, and the file's name where another document of the datasource has the
    better one already. Called within a transaction that has locked the datasource.
    """
    if document.file_properties or is_named(document):
        return ""
    name = own_name(document.filename, properties)
    others = document.datasource.documents.current().exclude(pk__in=[document.pk, document.replaces_id or 0])
    return "" if not name or others.filter(title__iexact=name).exists() else name
