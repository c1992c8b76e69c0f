"""What an API token sees and changes of its person's conversations: by method, and by who began them."""

from typing import Any

import pytest

from accounts.models import TokenScope, User
from chat.models import Conversation, Turn
from datasources.models import Datasource
from desks.research.arxiv_api.query import PaperQuery
from desks.research.models import PaperSearch, SearchStatus
from tests.factories import make_document, make_turn
from tests.rest import Api, program

READ, ASK, WRITE = TokenScope.READ, TokenScope.ASK, TokenScope.WRITE


@pytest.fixture
def own(contracts: Datasource, alice: User) -> Turn:
    """What alice asked herself, in her browser."""
    return make_turn(alice, make_document(contracts, "Open", "The contract ends in May."), "Is it urgent?")


def ask(client: Api, datasource: Datasource, **more: Any) -> Any:
    body = {"question": "When does it end?", "wait": False, **more}
    return client.post(f"data-sources/{datasource.pk}/ask", body)


def listed(client: Api, datasource: Datasource) -> list[str]:
    rows = client.get(f"data-sources/{datasource.pk}/conversations").json()["results"]
    return sorted(row["id"] for row in rows)


def addresses_of(turn: Turn) -> list[tuple[str, str, dict[str, Any]]]:
    of_turn, of_conversation = f"turns/{turn.pk}", f"conversations/{turn.conversation_id}"
    return [
        ("GET", of_conversation, {}),
        ("GET", f"{of_conversation}/export", {}),
        ("GET", of_turn, {}),
        ("GET", f"{of_turn}/export", {}),
        ("GET", f"{of_turn}/citations/1", {}),
        ("GET", f"{of_turn}/citations/1/pdf", {}),
        ("GET", f"{of_turn}/feedback", {}),
        ("GET", f"{of_turn}/follow-ups", {}),
        ("GET", f"{of_turn}/bibliography/bib", {}),
        ("POST", f"{of_turn}/stop", {}),
        ("POST", f"{of_turn}/again", {"wait": False}),
        ("PUT", f"{of_turn}/feedback", {"helpful": True}),
        ("DELETE", f"{of_turn}/feedback", {}),
    ]


def test_a_token_that_asks_sees_only_what_it_asked(contracts: Datasource, alice: User, own: Turn) -> None:
    client, token = program(alice, ASK)
    other, _ = program(alice, ASK)
    asked = ask(client, contracts).json()
    begun = client.post(f"data-sources/{contracts.pk}/conversations", {}).json()["id"]
    assert listed(client, contracts) == sorted([asked["conversation"], begun])
    assert client.get(f"turns/{asked['id']}").status_code == 200
    assert listed(other, contracts) == []
    assert other.get(f"turns/{asked['id']}").status_code == 404
    for method, path, body in addresses_of(own):
        assert client.send(method, path, body).status_code == 404, (method, path)
    assert ask(client, contracts, conversation=str(own.conversation_id)).status_code == 404
    own.refresh_from_db()
    assert own.conversation.turns.count() == 1
    token.delete()
    assert Conversation.objects.get(pk=begun).api_token is None, "it stays its person's"


def test_a_token_that_asks_renames_and_deletes_nothing(contracts: Datasource, alice: User) -> None:
    client, token = program(alice, ASK)
    mine = f"conversations/{ask(client, contracts).json()['conversation']}"
    for method, body in (("PATCH", {"title": "Mine"}), ("DELETE", {})):
        refused = client.send(method, mine, body)
        assert (refused.status_code, refused.json()["code"]) == (403, "token_scope")
    token.scopes = [ASK, WRITE]
    token.save()
    assert client.send("PATCH", mine, {"title": "Mine"}).status_code == 200
    assert client.send("DELETE", mine).status_code == 204


def test_a_token_that_reads_and_asks_changes_only_what_it_asked(
    contracts: Datasource, alice: User, own: Turn
) -> None:
    client, token = program(alice, READ, ASK)
    for method, path, body in addresses_of(own):
        expected = {200, 204} if method == "GET" else {404}
        assert client.send(method, path, body).status_code in expected, (method, path)
    assert ask(client, contracts, conversation=str(own.conversation_id)).status_code == 404
    token.scopes = [READ, ASK, WRITE]
    token.save()
    assert client.send("PUT", f"turns/{own.pk}/feedback", {"helpful": True}).status_code == 200
    assert ask(client, contracts, conversation=str(own.conversation_id)).status_code == 202


def test_instructions_are_not_changed_by_a_token_that_asks(contracts: Datasource, alice: User) -> None:
    client, _ = program(alice, ASK)
    path = f"data-sources/{contracts.pk}/instructions"
    assert client.get(path).status_code == 403
    assert client.send("PUT", path, {"text": "Always say yes."}).status_code == 403


def test_a_token_for_some_datasources_reaches_no_search_for_papers(
    contracts: Datasource, alice: User
) -> None:
    search = PaperSearch.objects.create(
        asked_by=alice, query=PaperQuery(words="lanterns").as_json(), status=SearchStatus.DONE
    )
    limited, everywhere = program(alice, only=[contracts])[0], program(alice)[0]
    assert limited.get(f"paper-searches/{search.pk}").status_code == 404
    assert limited.post("paper-searches", {"words": "lanterns"}).status_code == 403
    assert everywhere.get(f"paper-searches/{search.pk}").status_code == 200


def test_the_public_stream_of_a_turn_is_closed_to_other_tokens(
    contracts: Datasource, alice: User, own: Turn
) -> None:
    from svq_site.channels import SvqChannelManager

    channels = SvqChannelManager()
    for scopes, may in (([ASK], False), ([WRITE], False), ([READ], True)):
        alice.api_token = program(alice, *scopes)[1]
        assert channels.can_read_channel(alice, own.channel) is may, scopes
