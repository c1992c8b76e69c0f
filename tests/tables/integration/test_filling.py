"""Tables being filled: by a model, without one, after a kill, within a budget, and when documents change."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import User
from accounts.quotas import QuotaUsedUp
from answering.values.personal_data import PersonalData
from batches.budget import Budget
from chat.models import AnswerSettings
from citations.choices import Support
from datasources.derived import Change
from datasources.models import Datasource, DocumentStatus, Role
from datasources.services import share, unshare
from desks.tables import services
from desks.tables.derived import Tables
from desks.tables.filling import run as filling
from desks.tables.filling.parts import part_from
from desks.tables.filling.run import carry_on
from desks.tables.models import Cell, CellState, PaidReply, ReviewTable, TableStatus
from desks.tables.services import Asked, create_table
from desks.tables.tasks import forget
from desks.tables.web.presets import PRESETS
from ingestion.lifecycle.purging import purge
from providers.protocols import ProviderError
from tests.factories import make_document
from tests.openai_server import ScriptedOpenAI, ScriptedReply, text_reply
from tests.tables.world import COLUMNS, LAW, NOTICE, cell_at, reads, table_of

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = (
    reads("Arden agreement", {"1": ("sixty days' written notice", NOTICE), "2": ("Denmark", LAW)}),
    reads("Brook agreement", {"2": ("the laws of Denmark", LAW)}),
)

CONTRACTS = next(columns for key, _, columns in PRESETS if key == "contracts")


@pytest.fixture
def model(settings: Any) -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(list(SCRIPT)) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        yield server


@pytest.fixture
def table(contracts: Datasource, alice: User) -> ReviewTable:
    return table_of(contracts, alice)


def filled(table: ReviewTable, person: User, **how: Any) -> ReviewTable:
    services.fill(person, table, queued=False, **how)
    async_to_sync(carry_on)(table.pk)
    table.refresh_from_db()
    return table


def test_each_cell_has_a_checked_quote_or_is_blank(
    table: ReviewTable, alice: User, model: ScriptedOpenAI, work: Callable[[], None]
) -> None:
    assert services.fill(alice, table)
    work()
    table.refresh_from_db()
    assert (table.status, table.error_message, table.reader) == (TableStatus.DONE, "", "scripted")
    notice = cell_at(table, "Arden agreement", "Notice")
    assert (notice.state, notice.value, notice.quote) == (
        CellState.QUOTED,
        "sixty days' written notice",
        NOTICE,
    )
    assert notice.support == Support.SUPPORTED
    assert (notice.pages, notice.start) == ([1], 0)
    blank = cell_at(table, "Brook agreement", "Notice")
    assert (blank.state, blank.said) == (CellState.NOT_STATED, "")
    assert table.tokens > 0


def test_a_value_that_its_quote_does_not_say_needs_your_eye(
    table: ReviewTable, alice: User, settings: Any
) -> None:
    script = [reads("Arden agreement", {"1": ("ninety days", NOTICE)}), reads("Brook agreement", {})]
    with ScriptedOpenAI(script) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        filled(table, alice)
    cell = cell_at(table, "Arden agreement", "Notice")
    assert cell.support in (Support.NEEDS_EYE, Support.CONTRADICTED)
    assert cell.reason


def test_an_invented_quote_is_left_out_and_not_called_unstated(
    table: ReviewTable, alice: User, settings: Any
) -> None:
    invented = {"1": ("ten years", "The parties are bound for ten years without exception.")}
    with ScriptedOpenAI([reads("Arden agreement", invented), reads("Brook agreement", {})]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        filled(table, alice)
    cell = cell_at(table, "Arden agreement", "Notice")
    assert (cell.state, cell.value, cell.quote) == (CellState.NOT_FOUND, "", "")
    assert "not on the page" in cell.reason


def test_without_a_model_a_sentence_is_copied_and_nothing_is_judged(table: ReviewTable, alice: User) -> None:
    filled(table, alice)
    assert (table.status, table.quotes_only) == (TableStatus.DONE, True)
    law = cell_at(table, "Brook agreement", "Law")
    assert (law.state, law.value, law.support) == (CellState.QUOTED, "", Support.NONE)
    assert law.quote in LAW
    states = {cell_at(table, each, "Notice").state for each in ("Arden agreement", "Brook agreement")}
    assert CellState.NOT_STATED not in states, "only reading everything can say so"


def test_without_a_model_each_clause_that_answers_is_in_the_cell(contracts: Datasource, alice: User) -> None:
    breach = "6.1 Either party may terminate this Agreement at once if the other commits a material breach."
    convenience = "6.3 The Buyer may terminate for convenience on six months' written notice."
    term = "2.1 This Agreement begins on 1 March 2025 and runs for three years."
    clauses = "\n".join((term, breach, "6.2 Prices are reviewed each spring.", convenience))
    document = make_document(contracts, "Supply", clauses)
    columns = dict(line.split(": ", 1) for line in CONTRACTS.splitlines())
    asked = [Asked(name=name, question=columns[name]) for name in ("Term", "Termination")]
    table = create_table(alice, contracts, "Supply", asked, [document.pk])
    filled(table, alice)
    assert cell_at(table, "Supply", "Term").quote == term
    ended = cell_at(table, "Supply", "Termination").quote
    assert ended.startswith(breach)
    assert ended.endswith(convenience)


def test_without_a_model_the_day_of_a_date_that_is_only_named_is_looked_up(
    contracts: Datasource, alice: User
) -> None:
    clauses = [
        'This Agreement is between Arden Ltd (the "Seller") and Brook plc (the "Buyer").',
        '1.1 "Commencement Date" means 1 March 2025; "Goods" means glass bottles.',
        "2.1 This Agreement takes effect on the Commencement Date.",
        "2.2 Prices are reviewed each spring.",
    ]
    document = make_document(contracts, "Supply", "\n\n".join(clauses))
    asked = [Asked(name="Effective date", question="When does this agreement take effect?")]
    table = create_table(alice, contracts, "Supply", asked, [document.pk])
    filled(table, alice)
    assert "means 1 March 2025" in cell_at(table, "Supply", "Effective date").quote


def test_without_a_model_only_the_cell_that_is_read_says_so(
    table: ReviewTable, alice: User, monkeypatch: Any
) -> None:
    reading: list[int] = []
    search = filling.found_by_search

    def counting(cell: Any) -> Any:
        reading.append(Cell.objects.filter(row__table=table, state=CellState.READING).count())
        return search(cell)

    monkeypatch.setattr(filling, "found_by_search", counting)
    filled(table, alice)
    assert reading == [1, 1, 1, 1]


def test_a_killed_filling_goes_on_and_reads_nothing_twice(
    contracts: Datasource, alice: User, model: ScriptedOpenAI, monkeypatch: Any
) -> None:
    table = table_of(contracts, alice)
    monkeypatch.setattr(filling, "AT_ONCE", 1)
    written: list[int] = []
    write = filling._write_part

    def dies_at_the_second(*args: Any) -> None:
        written.append(1)
        if len(written) == 2:
            raise KeyboardInterrupt  # as hard as a kill: nothing is tidied up
        write(*args)

    services.fill(alice, table, queued=False)
    monkeypatch.setattr(filling, "_write_part", dies_at_the_second)
    with pytest.raises((KeyboardInterrupt, BaseExceptionGroup)):
        async_to_sync(carry_on)(table.pk)
    monkeypatch.setattr(filling, "_write_part", write)
    async_to_sync(carry_on)(table.pk)
    table.refresh_from_db()
    assert table.status == TableStatus.DONE
    first = [request for request in model.requests if "Arden agreement" in str(request)]
    assert len(first) == 1, "what was written down is not asked again"
    assert len(model.requests) == 2, "nor what was answered and not yet written"
    assert not PaidReply.objects.exists()


@pytest.mark.parametrize(("limit", "asked"), [(1, 0), (1_200, 1)])
def test_no_part_is_read_that_could_pass_the_limit_and_the_rest_is_with_another(
    table: ReviewTable, alice: User, settings: Any, limit: int, asked: int
) -> None:
    with ScriptedOpenAI([replace(reply, usage=(700, 100)) for reply in SCRIPT]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        filled(table, alice, budget=Budget(tokens=limit))  # its two documents would be read side by side
        assert (table.status, len(server.requests)) == (TableStatus.HELD, asked)
        states = Cell.objects.filter(row__table=table).values_list("state", flat=True)
        assert list(states).count(CellState.WAITING) == 4 - 2 * asked
        filled(table, alice)
        assert (table.status, len(server.requests)) == (TableStatus.DONE, 2)


def test_a_limit_of_money_holds_and_one_without_prices_is_refused(
    table: ReviewTable, alice: User, settings: Any
) -> None:
    with ScriptedOpenAI([replace(reply, usage=(700, 100)) for reply in SCRIPT]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        with pytest.raises(ValidationError, match="A budget of money needs the model's prices"):
            filled(table, alice, budget=Budget(money=Decimal(1)))
        settings.LLM_PRICE_INPUT, settings.LLM_PRICE_OUTPUT = 1000, 1000
        filled(table, alice, budget=Budget(money=Decimal("1.2")))
        assert (table.status, len(server.requests)) == (TableStatus.HELD, 1)
        assert table.money == Decimal("0.8")
        filled(table, alice, budget=Budget(money=Decimal("1.2")))
        assert (table.status, table.money) == (TableStatus.DONE, Decimal("1.6"))


def test_requests_that_a_server_reads_and_does_not_answer_use_up_the_limit(
    table: ReviewTable, alice: User, settings: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(filling, "AT_ONCE", 1)
    settings.LLM_PRICE_INPUT = 1000
    with ScriptedOpenAI(lambda request: ScriptedReply(body=b'{"choices": []}')) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        services.fill(alice, table, queued=False, budget=Budget(tokens=1_000, money=Decimal(9)))
        for _ in range(4):
            with suppress(ProviderError):  # each is another attempt of the job
                async_to_sync(carry_on)(table.pk)
        table.refresh_from_db()
        assert (table.status, len(server.requests)) == (TableStatus.HELD, 2)
    assert 500 < table.tokens <= 1_000
    assert table.money == table.tokens / Decimal(1000)


def test_a_filling_that_was_stopped_goes_on_with_its_limit(
    table: ReviewTable, alice: User, settings: Any
) -> None:
    with ScriptedOpenAI([replace(reply, usage=(700, 100)) for reply in SCRIPT]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        services.fill(alice, table, budget=Budget(tokens=1_200))
        assert services.stop(table)
        filled(table, alice)
        assert (table.status, table.token_budget, len(server.requests)) == (TableStatus.HELD, 1_200, 1)


@pytest.mark.parametrize(("refused", "ended"), [("1", TableStatus.DONE), ("12", TableStatus.FAILED)])
def test_a_model_that_refuses_everything_ends_the_filling_and_one_that_refuses_a_part_does_not(
    contracts: Datasource, alice: User, settings: Any, monkeypatch: Any, refused: str, ended: TableStatus
) -> None:
    documents = [make_document(contracts, f"Letter {n}", f"Letter {n}. {LAW}").pk for n in range(1, 4)]
    table = create_table(alice, contracts, "Letters", COLUMNS, documents)
    monkeypatch.setattr(filling, "AT_ONCE", 1)
    monkeypatch.setattr(filling.Filling, "in_a_row", 2)

    def script(request: Any) -> Any:
        asked = str(request["messages"][-1]["content"])
        is_refused = any(f"Letter {n}" in asked for n in refused)
        return text_reply("I would rather not.") if is_refused else text_reply('{"cells": []}')

    with ScriptedOpenAI(script) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        filled(table, alice)
    assert (table.status, len(server.requests)) == (ended, 3 if ended == TableStatus.DONE else 2)


def test_a_limit_counts_from_the_filling_that_it_is_given_for(
    table: ReviewTable, alice: User, model: ScriptedOpenAI
) -> None:
    table.write(tokens=5_000)
    filled(table, alice, budget=Budget(tokens=4_500))
    assert table.status == TableStatus.DONE, "what was used before does not use it up"


def test_a_long_document_is_read_in_parts_to_its_end(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    long = make_document(contracts, "Long", "word " * 9_000 + NOTICE)
    parts, at = [], 0
    while part := part_from(long, at):
        parts.append(part.text)
        at = part.end
    assert len(parts) > 1
    assert "".join(parts) == "word " * 9_000 + NOTICE
    table = services.create_table(alice, contracts, "Long ones", COLUMNS, [long.pk])
    script = [reads("Long", {"1": ("sixty days' written notice", NOTICE)})]
    with ScriptedOpenAI(script) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        filled(table, alice)
    cell = cell_at(table, "Long", "Notice")
    assert (cell.state, cell.quote, cell.start) == (CellState.QUOTED, NOTICE, 45_000)
    assert len(server.requests) == len(parts)


def test_a_new_column_reads_for_itself_alone(table: ReviewTable, alice: User, model: ScriptedOpenAI) -> None:
    filled(table, alice)
    asked = len(model.requests)
    services.add_columns(table, services.columns_from("Fee: When is the fee payable?"))
    filled(table, alice)
    new = [str(request["messages"][-1]["content"]) for request in model.requests[asked:]]
    assert len(new) == 2
    assert all("When is the fee payable?" in each and "Which law" not in each for each in new)


def test_a_deleted_document_leaves_no_word_and_comes_back_with_undo(
    table: ReviewTable, contracts: Datasource, alice: User, model: ScriptedOpenAI
) -> None:
    filled(table, alice)
    arden = contracts.documents.get(title="Arden agreement")
    arden.status = DocumentStatus.DELETED
    arden.save()
    assert [row.document.title for row in table.listed_rows.shown()] == ["Brook agreement"]
    arden.status = DocumentStatus.READY
    arden.save()
    assert table.listed_rows.shown().count() == 2
    purge(arden)
    assert not table.listed_rows.filter(document=arden.pk).exists()


def test_what_a_model_said_of_a_purged_version_is_forgotten_and_what_no_filling_goes_on_with(
    table: ReviewTable, contracts: Datasource
) -> None:
    arden, brook = (contracts.documents.get(title=f"{name} agreement") for name in ("Arden", "Brook"))
    table.listed_rows.get(document=brook).delete()
    row = table.listed_rows.get()
    PaidReply.objects.create(table=table, row=row, key="k", reply={"answer": NOTICE})
    table.listed_rows.update(document=brook)  # as where the newer version is read
    purge(arden)
    assert not PaidReply.objects.exists()
    for status, days, kept in (("stopped", 2, 1), ("running", 4, 1), ("stopped", 4, 0)):
        PaidReply.objects.get_or_create(table=table, row=row, key="k", reply={"answer": LAW})
        updated = timezone.now() - timedelta(days=days)
        ReviewTable.objects.filter(pk=table.pk).update(status=status, updated=updated)
        forget(0)
        assert PaidReply.objects.count() == kept


def test_personal_data_is_masked_where_the_settings_say_so(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    AnswerSettings.objects.update_or_create(
        datasource=contracts, defaults={"personal_data": PersonalData.MASK}
    )
    text = "Notice goes to jane.doe@example.org by letter."
    table = services.create_table(
        alice, contracts, "People", COLUMNS[:1], [make_document(contracts, "Letter", text).pk]
    )
    with ScriptedOpenAI([reads("Letter", {"1": ("jane.doe@example.org", text)})]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        filled(table, alice)
    cell = cell_at(table, "Letter", "Notice")
    assert cell.state == CellState.QUOTED
    assert "jane.doe" not in cell.value + cell.quote
    again = Change(datasource_id=contracts.pk, published=[cell.row.document_id])
    Tables().apply(again)
    assert cell_at(table, "Letter", "Notice").state == CellState.QUOTED, "its text is the same"
    PaidReply.objects.create(table=table, row=cell.row, key="k", reply={"answer": text})
    Tables().mask(contracts.pk)
    assert not PaidReply.objects.exists(), "what the model said is forgotten as well"


def test_limits_are_told_and_nothing_is_kept(contracts: Datasource, alice: User) -> None:
    with pytest.raises(ValidationError, match="at least one document"):
        services.create_table(alice, contracts, "None", COLUMNS, [])
    with pytest.raises(ValidationError, match="needs a column"):
        services.create_table(alice, contracts, "None", [], [])
    with pytest.raises(ValidationError, match="at most 12 columns"):
        services.create_table(
            alice, contracts, "Wide", services.columns_from("\n".join(f"C{n}" for n in range(13))), []
        )
    assert not ReviewTable.objects.exists()


def test_many_masked_addresses_fit_into_their_cell(contracts: Datasource, alice: User, settings: Any) -> None:
    """The words in place of an address are longer than it."""
    AnswerSettings.objects.update_or_create(
        datasource=contracts, defaults={"personal_data": PersonalData.MASK}
    )
    text = "Notice goes to " + ", ".join(f"p{place}@a.example" for place in range(40)) + "."
    table = services.create_table(
        alice, contracts, "People", COLUMNS[:1], [make_document(contracts, "Letter", text).pk]
    )
    with ScriptedOpenAI([reads("Letter", {"1": (text[15:-1], text)})]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        filled(table, alice)
    assert (table.status, table.error_message) == (TableStatus.DONE, "")
    cell = cell_at(table, "Letter", "Notice")
    assert cell.state == CellState.QUOTED
    assert "@" not in cell.value + cell.quote


def meanwhile(monkeypatch: Any, act: Callable[[], object]) -> None:
    """Somebody does that while the model reads for the first time, and finds nothing."""
    read, calls = filling.read_part, list[int]()

    async def reading(*args: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            return await read(*args)
        await sync_to_async(act)()
        return {}, (await read(*args))[1]

    monkeypatch.setattr(filling, "AT_ONCE", 1)
    monkeypatch.setattr(filling, "read_part", reading)


def test_a_cell_that_is_emptied_while_it_is_read_is_read_from_the_beginning(
    table: ReviewTable, alice: User, model: ScriptedOpenAI, monkeypatch: Any
) -> None:
    notice = cell_at(table, "Arden agreement", "Notice")
    meanwhile(monkeypatch, lambda: services.read_again(alice, table, notice.pk))
    filled(table, alice)
    notice.refresh_from_db()
    assert (notice.state, notice.quote) == (CellState.QUOTED, NOTICE)
    assert cell_at(table, "Arden agreement", "Law").state == CellState.NOT_STATED


def test_the_newer_version_that_is_chosen_while_a_row_is_read_is_what_is_quoted(
    table: ReviewTable, contracts: Datasource, alice: User, model: ScriptedOpenAI, monkeypatch: Any
) -> None:
    old = contracts.documents.get(title="Arden agreement")
    make_document(contracts, "Brook agreement", f"Preamble. {LAW}", replaces=old)
    row = table.listed_rows.get(document=old)
    meanwhile(monkeypatch, lambda: services.use_newer(row))
    filled(table, alice)
    law = Cell.objects.get(row=row, column__name="Law")
    assert (law.state, law.start) == (CellState.QUOTED, len("Preamble. "))
    assert Cell.objects.get(row=row, column__name="Notice").state == CellState.NOT_STATED


def test_a_document_that_is_deleted_while_it_is_read_is_not_read_on(
    table: ReviewTable, contracts: Datasource, alice: User, model: ScriptedOpenAI, monkeypatch: Any
) -> None:
    monkeypatch.setattr(filling, "PARTS", (40,))
    arden = contracts.documents.filter(title="Arden agreement")
    meanwhile(monkeypatch, lambda: arden.update(status=DocumentStatus.DELETED))
    filled(table, alice)
    asked = [each for each in model.requests if "Arden agreement" in str(each["messages"][-1])]
    assert len(asked) == 1


def test_what_is_added_while_a_table_is_filled_counts_as_well(
    table: ReviewTable, alice: User, settings: Any
) -> None:
    settings.QUESTIONS_PER_HOUR = 7
    services.remove_column(table, column := cell_at(table, "Arden agreement", "Law").column_id)
    services.fill(alice, table)  # two cells
    services.bring_back_column(table, column)  # two more
    services.add_columns(table, services.columns_from("Fee"))  # two more
    with pytest.raises(QuotaUsedUp):
        services.add_columns(table, services.columns_from("Term"))
    assert [each.name for each in table.asked_columns.shown()] == ["Notice", "Law", "Fee"]
    cell = cell_at(table, "Arden agreement", "Notice")
    Cell.objects.filter(pk=cell.pk).update(state=CellState.NOT_STATED)
    assert services.read_again(alice, table, cell.pk)  # the seventh
    Cell.objects.filter(pk=cell.pk).update(state=CellState.NOT_STATED)
    with pytest.raises(QuotaUsedUp):
        services.read_again(alice, table, cell.pk)


@pytest.mark.parametrize("how", ["not shared", "shut", "deleted"])
def test_who_may_not_edit_any_more_does_not_spend(
    table: ReviewTable, bob: User, model: ScriptedOpenAI, work: Callable[[], None], how: str
) -> None:
    share(table.datasource, bob, Role.EDITOR)
    services.fill(bob, table)
    match how:
        case "not shared":
            unshare(table.datasource, bob)
        case "shut":
            User.objects.filter(pk=bob.pk).update(is_active=False)
        case "deleted":
            bob.delete()
    work()
    table.refresh_from_db()
    assert (table.status, table.error_code) == (TableStatus.FAILED, "no_access")
    assert not model.requests
