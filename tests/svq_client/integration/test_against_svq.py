"""Both clients against a real web server and worker: rights, refusals, lists, proof, streams."""

import asyncio
from collections.abc import Iterator

import pytest

from accounts.api_tokens import make_token
from accounts.models import TokenScope, User
from chat.models import TurnStatus
from datasources.models import Datasource, Document
from svq_client import Answer, AsyncClient, Client, Piece, Step, SvqError
from tests.browser import Live
from tests.factories import TEXT, make_document, make_turn

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db(transaction=True)


def token_of(person: User, *scopes: TokenScope) -> str:
    _, token = make_token(
        person,
        name=f"Program {person.api_tokens.count()}",
        scopes=scopes or list(TokenScope),
        datasource_ids=None,
        days=1,
    )
    return token


@pytest.fixture
def client(live: Live, alice: User) -> Iterator[Client]:
    with Client(live.base_url, token_of(alice)) as made:
        yield made


def test_a_list_has_all_its_pages(client: Client, alice: User) -> None:
    Datasource.objects.bulk_create(Datasource(owner=alice, name=f"Folder {n}") for n in range(51))
    assert len({one.id for one in client.datasources()}) == 51


def test_who_may_not_is_told_why(live: Live, alice: User, contracts: Datasource) -> None:
    with Client(live.base_url, token_of(alice, TokenScope.READ)) as reader:
        assert reader.datasource(contracts.pk).name == "Contracts"
        with pytest.raises(SvqError) as refused:
            reader.create_datasource("Leases")
        assert (refused.value.code, refused.value.status) == ("token_scope", 403)
        with pytest.raises(SvqError) as refused:
            reader.datasource(contracts.pk + 1)
        assert (refused.value.code, refused.value.status) == ("not_found", 404)
    with Client(live.base_url, "svq_unknown") as stranger, pytest.raises(SvqError) as refused:
        list(stranger.datasources())
    assert (refused.value.code, "svq_unknown" in str(refused.value)) == ("not_signed_in", False)


def test_what_becomes_of_files_is_told(client: Client, contracts: Datasource) -> None:
    new = client.upload(contracts.pk, ("a.txt", b"Thirty days."), metadata={"externalId": "a-7"})
    again = client.upload(contracts.pk, ("b.txt", b"Thirty days."))
    assert (new.outcome, again.outcome, again.documents) == ("accepted", "duplicate", new.documents)
    assert client.document(new.documents[0]).metadata == {"externalId": "a-7"}
    with pytest.raises(SvqError) as refused:
        client.upload(contracts.pk, ("a.xyz", b"\x00\x01"))
    assert (refused.value.code, refused.value.status) == ("unsupported", 415)


def test_documents_are_listed_searched_and_deleted(client: Client, contracts: Datasource) -> None:
    kept, gone = make_document(contracts, "Kept"), make_document(contracts, "Gone", "Nothing else.")
    assert [one.title for one in client.documents(contracts.pk, q="kep")] == ["Kept"]
    assert [chunk.text for chunk in client.chunks(kept.pk)] == [TEXT]
    (passage, *_) = client.search("How long are backups kept?", documents=[kept.pk], k=3)
    assert (passage.document, passage.text, passage.page) == (kept.pk, TEXT, 1)
    assert not passage.read_elsewhere
    Document.objects.update(read_elsewhere=True)
    assert [chunk.read_elsewhere for chunk in client.chunks(kept.pk)] == [True]
    assert client.search("How long are backups kept?", documents=[kept.pk], k=3)[0].read_elsewhere
    (receipt,) = client.delete_documents(contracts.pk, [gone.pk])
    assert (receipt.document, receipt.completed) == (gone.pk, None)
    assert client.deletion(receipt.id).document_name == "Gone"
    assert [one.id for one in client.documents(contracts.pk)] == [kept.pk]
    with pytest.raises(SvqError, match="is not completed"):
        client.wait_until_deleted(receipt, limit=0.1)


def test_the_proof_of_a_written_answer(client: Client, alice: User, contracts: Datasource) -> None:
    verdict = {"grounded": True, "hallucinated": False, "relevant": None, "confidence": 1.0, "claims": 1}
    turn = make_turn(alice, make_document(contracts), verdict=verdict)
    answer = client.answer(str(turn.pk))
    assert answer.is_finished
    assert answer.verdict
    assert (answer.verdict.grounded, answer.verdict.relevant, answer.verdict.claims) == (True, None, 1)
    (citation,) = answer.citations
    assert (citation.quote, citation.support, citation.confirmed_by) == (TEXT, "supported", "code")
    assert client.crop(citation)[8:12] == b"WEBP"
    proof = client.proof(citation)
    assert proof.crops == (1,)
    assert 0 <= proof.boxes[1][0].x0 < proof.boxes[1][0].x1 <= 1000
    with pytest.raises(SvqError, match="other_page"):
        client.crop(citation, page=2)


def test_a_program_with_a_loop_reads_and_asks_at_once(live: Live, alice: User, contracts: Datasource) -> None:
    make_document(contracts)

    async def used() -> tuple[list[Step | Piece | Answer], Answer, list[str]]:
        async with AsyncClient(live.base_url, token_of_alice) as client:
            names = [one.name async for one in client.datasources()]

            async def streamed() -> list[Step | Piece | Answer]:
                question = "How long are backups kept?"
                return [one async for one in client.ask_streamed(contracts.pk, question)]

            shown, answer = await asyncio.gather(
                streamed(), client.ask(contracts.pk, "Where are backups kept?", mode="fast")
            )
            with pytest.raises(SvqError, match="question_missing"):
                await client.ask(contracts.pk, " ")
            return shown, answer, names

    token_of_alice = token_of(alice)
    shown, answer, names = asyncio.run(used())
    assert names == ["Contracts"]
    whole, text = shown[-1], ""
    assert isinstance(whole, Answer)
    for one in shown:
        text = text[: one.offset] + one.text if isinstance(one, Piece) else text
    assert TEXT in text.replace("> ", "")
    assert [citation.quote for citation in whole.citations] == [TEXT]
    assert any(isinstance(one, Step) and one.label == "Search" for one in shown)
    assert (answer.status, answer.conversation == whole.conversation) == ("quotes", False)


def test_an_answer_that_does_not_come_can_be_stopped(
    client: Client, alice: User, contracts: Datasource
) -> None:
    turn = client.begin(contracts.pk, "How long are backups kept?")
    assert client.wait_for_answer(turn).status == "not_found"
    waiting = make_turn(alice, make_document(contracts), status=TurnStatus.QUEUED, answer="")
    with pytest.raises(SvqError, match=f"the question {waiting.pk} has no answer yet") as late:
        client.wait_for_answer(str(waiting.pk), limit=3)
    assert late.value.code == "time_limit"
    assert client.stop(str(waiting.pk)).status == "stopped"
