"""An export under way: a large datasource takes no more memory than a small one, and who gives up has the
connection back.
"""

import os
import tracemalloc
from collections.abc import Generator
from contextlib import closing
from typing import cast

import pytest
from django.db import connection

from datasources.models import Datasource
from exchange.bundles.exporting import export
from ingestion.models import Page
from tests.factories import make_document, make_vector

pytestmark = pytest.mark.django_db(transaction=True)

LETTERS = 20_000  # of a page: as many as of one that is full of figures
BOXES = os.urandom(4 * LETTERS)  # which can't be packed any smaller, as places of letters can hardly
MEGABYTE = 1 << 20


def peak_of_export(datasource: Datasource) -> int:
    """Bytes that Python held at most beyond what it had."""
    tracemalloc.start()
    for _ in export(datasource, datasource.owner):
        pass  # sent, and gone
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def add_read_pages(datasource: Datasource, first: int, last: int) -> None:
    document = datasource.documents.get()
    Page.objects.bulk_create(
        [
            Page(document=document, number=number, text="7" * LETTERS, boxes=BOXES)
            for number in range(first, last + 1)
        ],
        batch_size=50,
    )


def test_an_export_of_ten_times_the_pages_takes_no_more_memory(contracts: Datasource) -> None:
    document = make_document(contracts, title="Figures")
    make_vector(document.chunks.get(), [1.0, 0.0])
    add_read_pages(contracts, 2, 30)
    few = peak_of_export(contracts)
    add_read_pages(contracts, 31, 300)  # 50 MB of rows
    assert peak_of_export(contracts) < few + 3 * MEGABYTE


def test_who_gives_up_has_the_connection_back(contracts: Datasource) -> None:
    make_document(contracts, title="Figures")
    add_read_pages(contracts, 2, 60)
    with closing(cast("Generator[bytes]", export(contracts, contracts.owner))) as blocks:
        sent = sum(len(next(blocks)) for _ in range(10))
        assert sent > MEGABYTE // 2, "it is amid the pages"
    assert not connection.in_atomic_block
    assert contracts.documents.get().pages.count() == 60
