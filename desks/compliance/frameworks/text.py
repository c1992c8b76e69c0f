"""The text of a framework among the documents of a datasource: a Markdown file for each domain.

There it is read, searched and cited like every other document: each citation is a checked quote on a page.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from datasources.models import Datasource, Document, DocumentQuerySet
from desks.compliance.models import Framework, Requirement
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.deletion import delete_documents

if TYPE_CHECKING:
    from accounts.models import User

FRAMEWORK_KEY = "framework"  # in the metadata of a document that is the text of a framework
MOST_DOCUMENTS = 40  # of a framework; the domains beyond share the last one
DEEPEST_HEADING = 4
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~!])")
_LIST = re.compile(r"^(\s*)([-+]|\d{1,9}[.)])(?=\s)", re.MULTILINE)
_NO_FILENAME = re.compile(r"[^\w .,&()-]+")


def documents_of(framework: Framework, datasource: Datasource, domain: str = "") -> DocumentQuerySet:
    """Those that have its text, of one domain or all."""
    wanted: dict[str, object] = {FRAMEWORK_KEY: str(framework.pk)}
    if domain:
        wanted["tags"] = [domain]
    documents: DocumentQuerySet = datasource.documents.current()
    return documents.filter(metadata__contains=wanted)


def add_text(framework: Framework, datasource: Datasource, person: "User") -> int:
    """Put its text among the documents, or what was corrected since in place of it; gives how many files.

    Raises ValidationError where the datasource has no room.
    """
    there = {_domain_of(row): row for row in documents_of(framework, datasource)}
    files = list(markdown_of(framework))
    for domain, text in files:
        name = _NO_FILENAME.sub(" ", f"{framework.short_name}, {domain}")[:200].strip()
        before = there.pop(domain, None)
        accepted = accept_upload(
            datasource, person, f"{name}.md", BytesIO(text.encode()), replaces=before, counted=False
        )
        for each in accepted:
            tagged = {FRAMEWORK_KEY: str(framework.pk), "tags": [domain]}
            Document.objects.filter(pk=each.document.pk).update(metadata=tagged)
    delete_documents(datasource, [row.pk for row in there.values()], person)
    return len(files)


def remove_text(framework: Framework, datasource: Datasource, person: "User") -> int:
    """As documents are deleted: it can be undone for a moment. Gives how many files."""
    there = list(documents_of(framework, datasource).values_list("pk", flat=True))
    delete_documents(datasource, there, person)
    return len(there)


def markdown_of(framework: Framework) -> Iterator[tuple[str, str]]:
    """(domain, text), in the order of the framework."""
    texts: dict[str, list[str]] = {}
    for row in framework.requirements.order_by("position"):
        domain = row.domain or framework.short_name
        if domain not in texts and len(texts) >= MOST_DOCUMENTS:
            domain = next(reversed(texts))
        texts.setdefault(domain, [f"# {_escaped(framework.name)}: {_escaped(domain)}"]).extend(_lines(row))
    for domain, lines in texts.items():
        yield domain, "\n\n".join(lines) + "\n"


def _lines(row: Requirement) -> Iterator[str]:
    head = " ".join(filter(None, (row.ref, row.title)))
    if head:
        yield f"{'#' * min(row.depth + 2, DEEPEST_HEADING)} {_escaped(head)}"
    if row.text:
        yield _escaped(row.text)


def _escaped(text: str) -> str:
    """The words as they are: nothing in them is markup."""
    bare = _MARKS.sub(r"\\\1", text)
    return _LIST.sub(lambda mark: f"{mark[1]}{mark[2][:-1]}\\{mark[2][-1]}", bare)


def _domain_of(document: Document) -> str:
    tags = document.metadata.get("tags")
    return str(tags[0]) if isinstance(tags, list) and tags else ""
