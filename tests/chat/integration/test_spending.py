"""What answers cost is counted, shown to whom it belongs, and stopped by a month's budget."""

import asyncio
import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as settings_module
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from chat import services
from chat.exports import as_json, as_markdown
from chat.models import AnswerSettings, Budget, Turn, TurnStatus
from chat.turns.run import run_turn
from datasources.models import Datasource
from events import log
from providers.connections.dialects import remember
from providers.language_models import chat_model, structured_model
from providers.protocols import ChatModel, Message, ProviderError, StructuredModel
from providers.protocols.dialect import Dialect
from providers.roles import ModelRole
from providers.spending import budgets
from providers.spending.models import MonthlyBudget, Purpose, Spending
from svq_site.usage.report import report
from tests.factories import TEXT, make_document
from tests.openai_server import ScriptedOpenAI, error_reply, text_reply, tools_reply
from tests.people import PASSWORD, browser_of
from tests.processes import url_of_test_database, with_models
from tests.rest import Api

pytestmark = pytest.mark.django_db(transaction=True)

SEARCH = tools_reply(
    ("search_literal", {"words": "Backups"}), usage=(1000, 100), when="How long", repeat=False
)
ANSWER = tools_reply(
    ("answer", {"answer": f"Thirty days /citation[c1, {TEXT.rstrip('.')}].", "found": "all"}),
    usage=(3000, 200),
)
READ = text_reply(
    json.dumps({"statements": [], "answers": "wholly", "missing": ""}),
    usage=(1, 1),
    when="You check an answer for people",
)


@pytest.fixture
def backups(contracts: Datasource) -> Datasource:
    make_document(contracts)
    return contracts


@pytest.fixture
def server(settings: Any) -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI([SEARCH, ANSWER, READ]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = Decimal(1), Decimal(10)
        yield server


def ask(user: User, datasource: Datasource) -> Turn:
    turn = services.ask(user, datasource, "How long are backups kept?", queued=False)
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    return turn


def told(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_every_call_is_charged_to_the_asker(server: Any, backups: Datasource, bob: User) -> None:
    turn = ask(bob, backups)
    assert turn.status == TurnStatus.ANSWERED
    row = Spending.objects.get(purpose=Purpose.ANSWERS, calls__gt=1)
    assert (row.person, row.datasource, row.model) == (bob.pk, backups.pk, "scripted")
    assert (row.prompt_tokens, row.completion_tokens) >= (4000, 300)
    assert turn.money == row.money >= Decimal("0.007")
    assert as_json(turn)["money"]


def test_a_second_attempt_adds_to_what_the_first_has_cost(
    settings: Any, backups: Datasource, bob: User
) -> None:
    settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = Decimal(1), Decimal(10)
    turn = services.ask(bob, backups, "How long are backups kept?", queued=False)
    with ScriptedOpenAI([SEARCH, error_reply(503), ANSWER]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        with pytest.raises(ProviderError):
            asyncio.run(run_turn(turn.pk))
        turn.refresh_from_db()
        assert turn.usage["prompt_tokens"] >= 1000
        asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    assert turn.status == TurnStatus.ANSWERED
    rows = Spending.objects.filter(purpose=Purpose.ANSWERS)
    assert turn.money == sum(row.money for row in rows)
    assert turn.usage == {
        "prompt_tokens": sum(row.prompt_tokens for row in rows),
        "completion_tokens": sum(row.completion_tokens for row in rows),
    }
    assert turn.usage["prompt_tokens"] >= 4000


def test_an_attempt_that_is_killed_is_paid_for_once(
    server: ScriptedOpenAI, backups: Datasource, bob: User, tmp_path: Path
) -> None:
    turn = services.ask(bob, backups, "How long are backups kept?")
    environment = {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(with_models(tmp_path)),
        "DJANGO_SETTINGS_MODULE": "svq_site.settings",
        "SVQ_LLM_BASE_URL": server.base_url,
        "SVQ_LLM_MODEL": "scripted",
        "SVQ_LLM_PRICE_INPUT": "1",
        "SVQ_LLM_PRICE_OUTPUT": "10",
    }
    killed = subprocess.run(
        [sys.executable, "-m", "tests.killed", "chat.turns.run", "finish", "before"],
        cwd=settings_module.BASE_DIR,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    turn.refresh_from_db()
    spent = Spending.objects.get(purpose=Purpose.ANSWERS, calls__gt=1)
    assert (turn.status, turn.money) == (TurnStatus.RUNNING, spent.money)
    usage = turn.usage
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    assert (turn.status, turn.usage, turn.money) == (TurnStatus.ANSWERED, usage, spent.money)
    assert sum("tools" in request for request in server.requests) == 2, "nothing was asked again"
    assert "Thirty days" in turn.answer
    assert not turn.paid_replies.exists()


def test_a_reply_that_cannot_be_read_is_asked_for_anew(settings: Any, backups: Datasource, bob: User) -> None:
    turn = services.ask(bob, backups, "How long are backups kept?", queued=False)
    with ScriptedOpenAI([SEARCH, tools_reply(("answer", '{"ans')), ANSWER]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        with pytest.raises(ProviderError):
            asyncio.run(run_turn(turn.pk))
        asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    assert turn.status == TurnStatus.ANSWERED


def test_a_stopped_answer_has_cost_what_was_written(settings: Any, backups: Datasource, bob: User) -> None:
    settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = Decimal(1), Decimal(10)
    turn = services.ask(bob, backups, "How long are backups kept?", queued=False)

    async def stopped() -> None:
        running = asyncio.create_task(run_turn(turn.pk))
        while not await sync_to_async(lambda: any("delta" in e.kind for e in log.read(turn.channel)))():
            await asyncio.sleep(0.01)
        await sync_to_async(services.stop)(turn)
        await running

    long = tools_reply(("answer", {"found": "all", "answer": "Thirty days. " * 200}), delay=0.02)
    with ScriptedOpenAI([SEARCH, long]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        asyncio.run(stopped())
    turn.refresh_from_db()
    assert turn.status == TurnStatus.STOPPED
    assert turn.money == sum(row.money for row in Spending.objects.all()) > Decimal("0.002")
    assert turn.usage["prompt_tokens"] > 1000


def test_a_server_that_tells_no_tokens_is_charged_by_an_estimate(settings: Any, backups: Datasource) -> None:
    with ScriptedOpenAI([text_reply('{"colour": "blue"}', usage=None)]) as silent:
        settings.LLM_BASE_URL = silent.base_url
        model = structured_model(backups, ModelRole.EXTRACTION)

        async def asking() -> None:
            assert model
            async with model:
                await model.complete([Message(role="user", content="Which colour is the sky?")], {})

        asyncio.run(asking())
    row = Spending.objects.get()
    assert (row.person, row.purpose) == (backups.owner_id, Purpose.INDEXING)
    assert row.prompt_tokens > 3 < row.completion_tokens


QUESTION = [Message(role="user", content="Which colour is the sky?")]


def test_a_call_that_is_not_waited_for_is_charged_for_what_was_sent(
    settings: Any, backups: Datasource
) -> None:
    async def asking(model: StructuredModel | None, chat: ChatModel | None) -> None:
        assert model
        assert chat
        async with model:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(model.complete(QUESTION, {}), 0.3)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(chat.stream(QUESTION, [])), 0.3)

    with ScriptedOpenAI([text_reply("Blue.", delay=2, repeat=True)]) as slow:
        settings.LLM_BASE_URL = slow.base_url
        asyncio.run(asking(structured_model(backups, ModelRole.AGENT), chat_model(backups)))
    row = Spending.objects.get()
    assert (row.calls, row.completion_tokens) == (2, 0)
    assert row.prompt_tokens > 6


def test_a_server_that_stalls_is_charged_and_one_that_refuses_is_not(
    settings: Any, backups: Datasource
) -> None:
    async def asking(model: StructuredModel | None, chat: ChatModel | None) -> None:
        assert model
        assert chat
        with pytest.raises(ProviderError):
            await anext(chat.stream(QUESTION, []))
        async with model:
            with pytest.raises(ProviderError):
                await model.complete(QUESTION, {})

    with ScriptedOpenAI([error_reply(401, repeat=True)]) as refusing:
        settings.LLM_BASE_URL = refusing.base_url
        asyncio.run(asking(structured_model(backups, ModelRole.AGENT), chat_model(backups)))
    assert not Spending.objects.exists()
    settings.LLM_TIMEOUT = 0.5
    with ScriptedOpenAI([text_reply("Blue.", delay=2, repeat=True)]) as slow:
        settings.LLM_BASE_URL = slow.base_url
        # A server on this machine that nobody has measured is given minutes.
        remember(slow.base_url, settings.LLM_MODEL, Dialect(reads=2_000, writes=200))
        asyncio.run(asking(structured_model(backups, ModelRole.AGENT), chat_model(backups)))
    assert Spending.objects.get().calls == 2


@pytest.mark.parametrize("whose", [Budget.DATASOURCE, Budget.DEPLOYMENT])
def test_a_budget_that_is_used_up_stops_the_model_and_says_so(
    server: Any, backups: Datasource, alice: User, whose: Budget
) -> None:
    budgets.set_budget(backups.pk if whose == Budget.DATASOURCE else 0, tokens=1000, money=None)
    new_chat = reverse("chat", args=[backups.pk])
    offered = told(browser_of(alice).get(new_chat))
    assert "scripted writes the answers" in offered
    assert 'name="mode"' in offered
    assert ask(alice, backups).status == TurnStatus.ANSWERED
    assert 'name="mode"' not in told(browser_of(alice).get(new_chat)), "quotes are found in one way"
    asked = len(server.requests)
    turn = ask(alice, backups)
    assert turn.quotes_only
    assert turn.stopped_by == whose
    assert len(server.requests) == asked
    assert "budget" in as_markdown(turn)
    page = told(browser_of(alice).get(reverse("conversation", args=[backups.pk, turn.conversation_id])))
    assert "for language models is used up, so none was asked" in page
    assert "This server has used up its month" in page or "This datasource has used up its month" in page
    budgets.set_budget(backups.pk, tokens=None, money=None)
    budgets.set_budget(0, tokens=None, money=Decimal(100))
    assert budgets.used_up(backups.pk) is None


def test_money_stops_as_well(server: Any, backups: Datasource, alice: User) -> None:
    budgets.set_budget(backups.pk, tokens=None, money=Decimal("0.01"))
    assert not ask(alice, backups).quotes_only
    assert budgets.month_of(backups.pk).money
    budgets.set_budget(backups.pk, tokens=None, money=Decimal("0.001"))
    assert budgets.month_of(backups.pk).used_up


def test_nobody_sees_what_another_has_spent(server: Any, backups: Datasource, alice: User, bob: User) -> None:
    ask(bob, backups)
    mine = told(browser_of(alice).get(reverse("usage")))
    assert "No language model was used" in mine
    his = told(browser_of(bob).get(reverse("usage")))
    assert "scripted" in his
    assert backups.name in his
    for address in ("usage", "usage_csv", "api-usage"):
        assert browser_of(alice).get(reverse(address), {"of": "all"}).status_code == 404
    assert len(browser_of(alice).get(reverse("usage_csv")).content.decode().splitlines()) == 1


def test_administrators_see_all_but_no_names_of_datasources(
    server: Any, backups: Datasource, bob: User
) -> None:
    backups.name = "Secret merger"
    backups.save()
    ask(bob, backups)
    root = User.objects.create_superuser("root@example.org", PASSWORD)
    page = told(browser_of(root).get(reverse("usage"), {"of": "all"}))
    assert bob.email in page
    assert f"Datasource {backups.pk}" in page
    assert "Secret merger" not in page
    rows = list(
        csv.DictReader(
            io.StringIO(browser_of(root).get(reverse("usage_csv"), {"of": "all"}).content.decode())
        )
    )
    assert sum(int(row["completion_tokens"]) for row in rows) >= 300
    told_by_rest = browser_of(root).get(reverse("api-usage"), {"of": "all"}).json()
    assert told_by_rest["by_person"][0]["name"] == bob.email


def test_owners_and_administrators_set_budgets(backups: Datasource, alice: User, bob: User) -> None:
    address = reverse("datasource_budget", args=[backups.pk])
    assert browser_of(bob).post(address, {"tokens": "5"}).status_code == 403
    refused = browser_of(alice).post(address, {"tokens": "-5"})
    assert refused.status_code == 422
    assert "from 0 to 1,000,000,000,000,000. Empty: no limit." in told(refused)
    assert not MonthlyBudget.objects.exists()
    browser_of(alice).post(address, {"tokens": "5000", "money": "2.50"})
    assert budgets.month_of(backups.pk).token_limit == 5000
    assert "Monthly budget" in told(
        browser_of(bob).get(reverse("settings_section", args=[backups.pk, "models"]))
    )
    assert browser_of(alice).post(reverse("usage"), {"tokens": "1"}).status_code == 404
    root = User.objects.create_superuser("root@example.org", PASSWORD)
    assert browser_of(root).post(reverse("usage"), {"tokens": "x"}).status_code == 422
    browser_of(root).post(reverse("usage"), {"money": "25"})
    assert budgets.month_of().money_limit == Decimal(25)


def test_programs_set_budgets_too(backups: Datasource, alice: User, bob: User) -> None:
    path = f"data-sources/{backups.pk}/budget"
    assert Api(alice).get(path).json()["tokens"] is None
    set_to = Api(alice).send("PUT", path, {"tokens": 5000, "money": "2.50"}).json()
    assert (set_to["tokens"], set_to["money"], set_to["used_up"]) == (5000, "2.50", False)
    assert set_to["begins_again"] == budgets.next_month().isoformat()
    assert budgets.month_of(backups.pk).money_limit == Decimal("2.50")
    assert Api(alice).send("PUT", path, {"tokens": -1, "money": None}).status_code == 400
    assert Api(alice).send("PUT", path, {"tokens": 1}).status_code == 400
    assert Api(bob).get(path).json()["tokens"] == 5000
    assert Api(bob).send("PUT", path, {"tokens": None, "money": None}).status_code == 403
    assert Api(alice).get("usage/budget").status_code == 404
    root = User.objects.create_superuser("root@example.org", PASSWORD)
    assert Api(root).send("PUT", "usage/budget", {"tokens": 7, "money": None}).json()["tokens"] == 7
    assert budgets.month_of().token_limit == 7


def test_a_question_has_a_budget_of_money_of_its_own(server: Any, backups: Datasource, alice: User) -> None:
    changed = Api(alice).send("PATCH", f"data-sources/{backups.pk}/answering", {"money": 0.01})
    assert changed.json()["money"] == 0.01
    turn = ask(alice, backups)
    assert turn.status == TurnStatus.ANSWERED
    assert "money_spent" in {notice["code"] for notice in turn.notices}
    last = [request for request in server.requests if "tools" in request][-1]
    assert [tool["function"]["name"] for tool in last["tools"]] == ["answer"]
    assert turn.money is not None
    assert turn.money <= Decimal("0.01")
    for refused in ({"money": -1}, {"money": "nan"}, {"passages": 1000}, {"personal_data": "sell"}):
        answer = Api(alice).send("PATCH", f"data-sources/{backups.pk}/answering", refused)
        assert answer.status_code == 400, refused


@pytest.mark.parametrize("takes_limits", [True, False])
def test_a_question_does_not_take_more_tokens_than_it_may(
    settings: Any, backups: Datasource, alice: User, takes_limits: bool
) -> None:
    """Whether the server keeps to the limit that it is told, or writes on and on."""
    told: list[int] = []

    def reply(request: dict[str, Any]) -> Any:
        if "tools" not in request:
            return text_reply("{}", usage=None)
        if [tool["function"]["name"] for tool in request["tools"]] != ["answer"]:
            return replace(SEARCH, usage=None, when="")
        if not takes_limits and "max_tokens" in request:
            return error_reply(400, "Unsupported parameter: max_tokens")
        if not takes_limits and "max_completion_tokens" in request:
            return error_reply(400, "Unsupported parameter: max_completion_tokens")
        told.append(request.get("max_tokens", 0))
        written = {"found": "all", "answer": "Thirty days. " * 2000}
        return tools_reply(("answer", written), usage=None)

    limit = 6000
    AnswerSettings.objects.create(datasource=backups, tokens=limit)
    with ScriptedOpenAI(reply) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "limits" if takes_limits else "on and on"
        turn = ask(alice, backups)
    spent = sum(row.prompt_tokens + row.completion_tokens for row in Spending.objects.all())
    assert 1000 < spent <= limit + 10
    assert bool(told[-1]) == takes_limits
    assert turn.answer.startswith("Thirty days.")
    assert "tokens_spent" in {notice["code"] for notice in turn.notices}


def test_a_limit_too_low_for_the_model_is_answered_by_quotes_and_costs_nothing(
    server: Any, backups: Datasource, alice: User, client: Client
) -> None:
    AnswerSettings.objects.create(datasource=backups, tokens=300)
    turn = ask(alice, backups)
    assert turn.status == TurnStatus.QUOTES
    assert "Backups are kept" in turn.answer
    assert not server.requests
    client.force_login(alice)
    page = told(client.get(reverse("conversation", args=[backups.pk, turn.conversation_id])))
    assert "leaves the language model no room for an answer" in page


def test_a_report_is_summed_by_the_database(server: Any, backups: Datasource, alice: User, bob: User) -> None:
    first, second = ask(bob, backups), ask(alice, backups)
    Turn.objects.filter(pk=first.pk).update(seconds=1, status=TurnStatus.NOT_FOUND)
    Turn.objects.filter(pk=second.pk).update(seconds=4)
    gone, nobody = 10**6, 0
    for person in (gone, nobody):
        Spending.objects.create(day=timezone.localdate(), person=person, model="m", prompt_tokens=5, calls=1)
    root = User.objects.create_superuser("root@example.org", PASSWORD)
    told = report(root, 30, of_all=True)
    everything = list(Spending.objects.all())
    assert told.total.tokens == sum(row.prompt_tokens + row.completion_tokens for row in everything)
    assert told.total.money == sum(row.money for row in everything)
    assert sum(told.by_purpose[Purpose.ANSWERS]) == told.by_purpose[Purpose.ANSWERS][-1] > 4000
    named = {row.name: row.tokens for row in told.by_person}
    assert named[bob.email] > 4000
    assert [named[f"Deleted account {gone}"], named["Nobody in particular"]] == [5, 5]
    assert [row.name for row in told.by_model] == ["scripted at 127.0.0.1", "m"]
    answers = told.answers
    assert (answers.questions, answers.not_found, answers.seconds) == (2, 1, 2.5)
    assert answers.fast is None
