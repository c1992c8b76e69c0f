"""Accents apart from their letters, and letters that nobody sees, in what people add: stored clean, and found
in what was stored before.
"""

import io
import json

import pytest
from django.core.exceptions import ValidationError

from accounts.models import User
from answering.unanswered import search_of
from chat.services import begin_conversation
from chat.services import rename as rename_conversation
from datasources.models import Datasource
from desks.evaluation.questions.services import create_set
from desks.tables.services import create_table
from ingestion.adding.describing import describe
from ingestion.adding.pasting import add_text
from ingestion.adding.upload import accept_upload, bare_name
from reader import word_search
from retrieval.legs import fuzzy
from retrieval.legs.mentions import mentions
from retrieval.query import Scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

WRITTEN = "The cafe\u0301 Mu\u0308ller closes at ten.\u202e The depo\u2063sit is 500."
CLEAN = "The café Müller closes at ten. The deposit is 500."


def test_ready_passages_and_pasted_text_are_stored_clean(contracts: Datasource, alice: User) -> None:
    line = json.dumps({"title": "Mu\u0308ller", "text": WRITTEN})
    passage = accept_upload(contracts, alice, "p.jsonl", io.BytesIO(line.encode()))[0].document
    assert passage.title == "Müller"
    assert passage.pages.get().text == f"Müller\n{CLEAN}" == passage.chunks.get().text
    pasted = add_text(contracts, alice, "Mu\u0308ller", WRITTEN).document
    with pasted.file.open("rb") as file:
        assert file.read().decode() == CLEAN
    assert pasted.title == "Müller"
    with pytest.raises(ValidationError):
        add_text(contracts, alice, "Nothing", "\u2063\u202e\n")


def test_a_text_that_was_stored_before_is_found_as_people_type_it(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "Café", WRITTEN)
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    search = search_of(scope, "What did Quillon say of the deposit of café Müller?", 0.9)
    assert search.names_absent == ("Quillon",)
    for words in ("Müller", "Mu\u0308ller", "café Müller", "deposit"):
        (found,) = fuzzy.search(scope, words)
        assert found.matched is not None
        assert len(word_search.find(document, words)) == 1
    assert WRITTEN[slice(*fuzzy.search(scope, "café Müller")[0].matched or ())] == "cafe\u0301 Mu\u0308ller"
    assert [hit.text for hit in word_search.find(document, "deposit")] == ["depo\u2063sit"]
    for words in ("Müller", "café", "CAFÉ Mu\u0308ller"):
        assert mentions([scope], words).places == 1
    assert not mentions([scope], "caf").places


@pytest.mark.parametrize("name", ["\u202e", "\u2063 \u3164", "\U000e0041"])
def test_a_name_that_nobody_could_see_is_refused(contracts: Datasource, alice: User, name: str) -> None:
    document = make_document(contracts)
    conversation = begin_conversation(alice, contracts, "Backups", None)
    for act in (
        lambda: describe(document, title=name),
        lambda: create_set(contracts, name),
        lambda: create_table(alice, contracts, name, [], []),
        lambda: rename_conversation(conversation, name),
    ):
        with pytest.raises(ValidationError, match="needs a"):
            act()


def test_the_name_of_a_file_is_read_as_it_is_written() -> None:
    assert bare_name("invoice\u202efdp.txt") == "invoicefdp.txt"
    assert bare_name("folder\\Mu\u0308ller.txt") == "Müller.txt"
    assert bare_name("\u202e.txt") == "Untitled.txt"
