"""Files that people take away speak their language; those that programs read stay English."""

import re
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from desks.compliance.reports.files import FORMS as REPORTS
from desks.tables.exports.files import FORMS as TABLES
from digest.exports import FORMS as GLANCES
from memos.files.writing import FORMS as MEMOS
from svq_site.audit.acts import GIVES
from tests.addresses import OWNER, ROWS
from tests.localization.files import texts_of
from tests.localization.integration.test_all_addresses import KEPT, NAMES, THEIRS
from tests.localization.integration.test_every_page import SAME_EVERYWHERE, without_brackets
from tests.localization.pseudo import HEADERS, pseudo_language
from tests.responses import content_of
from tests.world import client_of

pytest_plugins = ["tests.shared_world"]

# The forms of those that come in several, where people read them.
FORMS = {
    "table_export": [form for form in TABLES if form != "json"],
    "gap_report": list(REPORTS),
    "memo_file": list(MEMOS),
    "glance_file": list(GLANCES),
    "document_glance_file": list(GLANCES),
}
# What programs read: their own formats, and columns that are codes; and files as they were uploaded.
FOR_PROGRAMS = {
    "audit_csv",
    "bundle_file",
    "document_original",
    "evaluation_export",
    "export_cited",
    "graph_export",
    "papers_export",
    "question_set_export",
    "usage_csv",
}
OF_FORMATS = re.compile(
    r"SHA-256(?: [0-9a-f]{64})?|(?:[0-9a-f]{4} ){3,}[0-9a-f]{4}|/packs/verify/?|\b[0-9a-f]{64}\b|"
    r"\\[a-z]+(?:\{[^{}]*\})?|^%.*|http://testserver\S*|\\_|[\w.-]+\.(?:pdf|txt|md|html|docx)\b"
)


@pytest.fixture
def client(shared_world: SimpleNamespace) -> Client:
    owner = shared_world.people[OWNER]
    User.objects.filter(pk=owner.pk).update(is_staff=True, is_superuser=True)
    return client_of(owner)


def addresses(name: str, world: SimpleNamespace) -> list[str]:
    given = {argument: getattr(world, of) for argument, of in ROWS[name].args.items()}
    return [reverse(name, kwargs=given | ({"form": form} if form else {})) for form in FORMS.get(name, [""])]


def untranslated(texts: list[str]) -> list[str]:
    found = []
    for text in texts:
        bare = without_brackets(text)
        for known in (OF_FORMATS, THEIRS, KEPT, NAMES, SAME_EVERYWHERE):
            bare = known.sub("", bare.strip())
        if re.search(r"[^\W\d_]{2}", bare):
            found.append(bare)
    return found


TAKEN = sorted(name for name in GIVES if name in ROWS and not name.startswith("api-"))


@pytest.mark.parametrize("name", [name for name in TAKEN if name not in FOR_PROGRAMS])
def test_what_people_read_is_in_their_language(
    name: str, client: Client, shared_world: SimpleNamespace
) -> None:
    with pseudo_language():
        for address in addresses(name, shared_world):
            answer = client.get(address, headers=HEADERS)
            assert answer.status_code == 200, address
            ending = re.search(r"\.(\w+?)(?:%E2%81%86)?\"?$", answer.headers["Content-Disposition"])
            assert ending, address
            body = content_of(answer).removesuffix(str(answer.headers).encode())
            texts = list(texts_of(f"x.{ending[1]}", body))
            assert any("⁅" in text for text in texts) or ending[1] == "ics", address
            assert untranslated(texts) == [], address


@pytest.mark.parametrize("name", sorted(FOR_PROGRAMS))
def test_what_programs_read_is_in_english(name: str, client: Client, shared_world: SimpleNamespace) -> None:
    with pseudo_language():
        for address in addresses(name, shared_world):
            assert "⁅".encode() not in content_of(client.get(address, headers=HEADERS))


def test_each_file_is_of_one_kind() -> None:
    """A new one: either its words are translated, or programs read it."""
    assert set(TAKEN) >= FOR_PROGRAMS
    assert set(FORMS) <= set(TAKEN)
