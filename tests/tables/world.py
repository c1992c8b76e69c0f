"""Documents and tables that tests of tables share, and a model that reads them as a test says."""

import json
from collections.abc import Mapping

from accounts.models import User
from datasources.models import Datasource, Document
from desks.tables.models import Cell, ReviewTable
from desks.tables.services import Asked, create_table
from tests.factories import make_document
from tests.openai_server import ScriptedReply, text_reply

NOTICE = "Either party may end this Agreement by sixty days' written notice."
LAW = "This Agreement is governed by the laws of Denmark."
COLUMNS = (
    Asked(name="Notice", question="How much notice is needed to end this agreement?"),
    Asked(name="Law", question="Which law governs this agreement?"),
)


def documents(datasource: Datasource) -> tuple[Document, Document]:
    """One that says both things, and one that says only one."""
    return (
        make_document(datasource, "Arden agreement", f"{NOTICE} {LAW}"),
        make_document(datasource, "Brook agreement", f"The fee is payable monthly. {LAW}"),
    )


def table_of(datasource: Datasource, person: User) -> ReviewTable:
    chosen = [document.pk for document in documents(datasource)]
    return create_table(person, datasource, "Agreements", COLUMNS, chosen)


def cell_at(table: ReviewTable, document: str, column: str) -> Cell:
    return Cell.objects.get(row__table=table, row__document__title=document, column__name=column)


def reads(document: str, said: Mapping[str, tuple[str, str]]) -> ScriptedReply:
    """What the model writes about that document: value and quote, by the column's key."""
    cells = [{"column": key, "value": value, "quote": quote} for key, (value, quote) in said.items()]
    return text_reply(json.dumps({"cells": cells}), when=f'\\"document\\": \\"{document}\\"', repeat=True)
