"""Which desks a server does without."""

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from desks.left_out import DESKS, having_tables, left_out, without


def test_what_leads_into_a_desk_is_left_out() -> None:
    tabs = ["chat.web.tab.ChatTab", "desks.tables.web.tab.TablesTab", "desks.compliance.web.tab.GapTab"]
    assert without({"tables"}, tabs) == ["chat.web.tab.ChatTab", "desks.compliance.web.tab.GapTab"]
    assert without(set(), tabs) == tabs


def test_a_name_that_is_no_desk_stops_the_start() -> None:
    assert left_out(["tables", "research"]) == {"tables", "research"}
    with pytest.raises(ImproperlyConfigured, match="has 'chat': set any of evaluation, tables"):
        left_out(["tables", "chat"])


def test_a_table_is_known_by_its_desk() -> None:
    there = ["tables_cell", "research_paper", "ingestion_table", "chat_turn"]
    assert having_tables(["tables", "compliance"], there) == ["tables"]


def test_each_desk_is_an_app_that_is_there() -> None:
    there = {app.removeprefix("desks.") for app in settings.INSTALLED_APPS if app.startswith("desks.")}
    assert set(DESKS) == there | settings.LEFT_OUT
