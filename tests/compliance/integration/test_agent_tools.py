"""What the agent may ask: the framework's own text by domain, and how a vendor was assessed."""

from collections.abc import Callable

import pytest

from accounts.models import User
from datasources.models import Datasource
from desks.compliance.checks.services import start_check
from desks.compliance.checks.subjects import selection_of
from desks.compliance.frameworks.services import attach
from desks.compliance.frameworks.text import add_text, documents_of, remove_text
from desks.compliance.models import Subject
from desks.evaluation.runs import tools as evaluation_tools
from desks.evaluation.runs.variants import Variant
from providers.embedders import embedder
from retrieval.query import Scope
from retrieval.tools.registry import TOOLS, tools_of
from retrieval.tools.tool import Tool
from tests.compliance.world import framework, vendor

pytestmark = pytest.mark.django_db(transaction=True)


def tool(datasource: Datasource, name: str) -> Tool:
    return next(each for each in tools_of(datasource.pk) if each.name == name)


def test_tools_are_offered_where_there_is_something_to_search(contracts: Datasource, alice: User) -> None:
    assert tools_of(contracts.pk) == TOOLS
    made, subject = vendor(contracts, alice)
    assert [each.name for each in tools_of(contracts.pk)[len(TOOLS) :]] == ["search_framework"]
    start_check(alice, made, subject, queued=False)
    assert tools_of(contracts.pk)[-1].name == "lookup_assessment"
    evaluated = evaluation_tools.tools_of(Variant(), lambda: None, contracts.pk)
    assert [each.name for each in evaluated] == [each.name for each in tools_of(contracts.pk)]


def test_the_framework_is_quoted_from_its_own_pages_by_domain(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made = framework(alice)
    attach(made, contracts, alice)
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    search = tool(contracts, "search_framework")
    asked = search.arguments(query="When is an invoice paid?", domain="money")
    passages, note = search.search(scope, embedder(contracts), asked)
    assert not passages
    assert "cannot be quoted" in note.text
    assert add_text(made, contracts, alice) == 2
    work()
    passages, note = search.search(scope, embedder(contracts), asked)
    assert {each.document_title for each in passages} == {"Rules, Money"}
    assert "The contract says when an invoice is paid." in passages[0].text
    everybody = Subject.objects.create(datasource=contracts, name="All", has_all=True)
    assert not selection_of(everybody).documents, "the framework is no vendor's document"
    assert add_text(made, contracts, alice) == 2, "twice is the same as once"
    assert documents_of(made, contracts).count() == 2
    remove_text(made, contracts, alice)
    assert not documents_of(made, contracts).exists()


def test_an_assessment_is_looked_up_with_its_quotes(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made, subject = vendor(contracts, alice)
    start_check(alice, made, subject)
    work()
    look = tool(contracts, "lookup_assessment")
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    passages, note = look.search(scope, embedder(contracts), look.arguments(vendor="tarn", requirement="1"))
    assert "To be judged, found by a check, not reviewed" in note.text
    assert "2.1" not in note.text
    assert {each.document_id for each in passages} <= set(contracts.documents.values_list("pk", flat=True))
    assert passages
    nothing, note = look.search(scope, embedder(contracts), look.arguments(vendor="Nobody"))
    assert (nothing, note.text) == ([], "No such assessment was made here.")
