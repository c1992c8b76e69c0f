"""The sentences about a datasource name what its documents have in common."""

import pytest

from answering.suggestions.description import describe, frequent_terms
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


def test_what_one_long_document_speaks_of_describes_no_datasource_of_several() -> None:
    report = [f"In year {year} the fair value of marketable securities rose." for year in range(9)]
    lease = ["The tenant pays the annual rent. The annual rent is due in May."] * 3
    letter = ["We write about the annual rent and the leak."] * 3
    assert "fair value" in frequent_terms([report])
    assert frequent_terms([report, lease, letter]) == ["annual rent"]
