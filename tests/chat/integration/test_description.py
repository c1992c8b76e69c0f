"""The sentences about a datasource name what its documents have in common."""

import pytest

from chat.suggestions.description import describe
from datasources.models import Datasource, Document
from tests.factories import make_document
from tests.graph.corpus import learn

pytestmark = pytest.mark.django_db


def documents_naming(datasource: Datasource, *names: str) -> list[Document]:
    """One document for each, which speaks of that name only."""
    made = []
    for number, name in enumerate(names):
        made.append(
            make_document(
                datasource, f"Report {number}", f"{name} met the board. The board met {name} again."
            )
        )
        learn(made[-1])
    return made


def test_one_company_is_named_alone_only_where_nearly_all_documents_name_it(contracts: Datasource) -> None:
    apart = documents_naming(
        contracts, *["Halden Foods Inc."] * 4, "Brian May", "Tim Cook", "Johannes Hauptmann"
    )
    assert "Halden" not in describe(apart, [])
    assert "Halden Foods" in describe(apart[:4], [])
