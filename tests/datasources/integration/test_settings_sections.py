"""The settings of a datasource: a page for each section, fields that are stored alone, search."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat.models import AnswerSettings
from datasources.models import Datasource, Recognition
from datasources.services import change_datasource, create_datasource
from datasources.settings.sections import SECTIONS
from graph.models import GraphExtractor, GraphSettings
from summaries.models import SummarySettings
from tests.factories import make_document
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def owner(alice: User) -> Client:
    return browser_of(alice)


def section(datasource: Datasource, name: str) -> str:
    return reverse("settings_section", args=[datasource.pk, name])


def save(client: Client, datasource: Datasource, field: str, **value: Any) -> Any:
    address = reverse("save_setting", args=[datasource.pk])
    return client.post(address, {"field": field} | value, headers=HTMX)


def test_the_first_page_tells_how_each_section_stands(owner: Client, contracts: Datasource) -> None:
    make_document(contracts)
    contracts.recognition = Recognition.ALWAYS
    contracts.save()
    page = owner.get(reverse("datasource_settings", args=[contracts.pk]))
    told = text_of(page)
    assert "Every page is read as a picture. Passages of about 1,000 characters." in told
    assert "Alice owns it. It is seen by 1 other." in told
    assert "Delete this datasource. 1 file" in told
    for one in SECTIONS:
        assert f'href="{section(contracts, one.name)}"' in page.content.decode()
        assert f'id="{one.name}"' in page.content.decode(), "where links into the one page of before led"
        assert text_of(owner.get(section(contracts, one.name))).count(str(one.lead)) == 1


@pytest.mark.parametrize(
    ("name", "in_datasource"),
    [("webhooks", True), ("connectors", True), ("account_change_password", False), ("receipts", False)],
)
def test_pages_of_settings_keep_their_sections_beside_them(
    owner: Client, contracts: Datasource, name: str, in_datasource: bool
) -> None:
    page = owner.get(reverse(name, args=[contracts.pk] if in_datasource else [])).content.decode()
    beside = page[page.index('<nav class="st-n"') :]
    beside = beside[: beside.index("</nav>")]
    assert 'aria-current="page"' in beside
    if in_datasource:
        assert f'href="{section(contracts, "people")}"' in beside
        trail = page[page.index('aria-label="Breadcrumb"') :]
        assert f'href="{section(contracts, "webhooks")}">Connections</a>' in trail[: trail.index("</nav>")]


def test_parts_that_older_links_name_are_still_there(owner: Client, contracts: Datasource) -> None:
    page = owner.get(reverse("datasource_settings", args=[contracts.pk])).content.decode()
    for anchor in (
        "general",
        "models",
        "answers",
        "graph",
        "summaries",
        "budget",
        "frameworks",
        "capacity",
        "people",
        "delete",
        "vectors",
    ):
        assert f'id="{anchor}"' in page, anchor


def test_a_member_sees_all_but_what_is_the_owners(contracts: Datasource, bob: User) -> None:
    viewer = browser_of(bob)
    page = viewer.get(reverse("datasource_settings", args=[contracts.pk])).content.decode()
    for one in SECTIONS:
        if one.for_owner:
            assert section(contracts, one.name) not in page
            assert viewer.get(section(contracts, one.name)).status_code == 403
            continue
        shown = viewer.get(section(contracts, one.name)).content.decode()
        assert '<form class="st-row' not in shown, one.name
        assert "the owner, can change it" in text_of(shown), one.name
    assert "Delete" not in text_of(
        viewer.get(f"{reverse('datasource_settings', args=[contracts.pk])}?q=delete")
    )


def test_a_field_is_stored_alone_and_says_so(owner: Client, contracts: Datasource) -> None:
    saved = save(owner, contracts, "name", name=" Deals ", description="Left alone")
    assert (saved.status_code, text_of(saved).split()[0]) == (200, "Saved")
    contracts.refresh_from_db()
    assert (contracts.name, contracts.description) == ("Deals", "")


def test_what_is_wrong_is_not_stored_and_the_last_value_is_told(
    owner: Client, alice: User, contracts: Datasource
) -> None:
    create_datasource(alice, "Letters")
    taken = save(owner, contracts, "name", name="letters")
    assert taken.status_code == 422
    assert "Choose another name." in text_of(taken)
    assert "Not saved. Still: Contracts" in text_of(taken)
    empty = save(owner, contracts, "name", name="")
    assert "A datasource needs a name. Not saved. Still: Contracts" in text_of(empty)
    unknown = save(owner, contracts, "recognition", recognition="sometimes")
    assert "Still: Where a page is a picture or its text is damaged" in text_of(unknown)
    contracts.refresh_from_db()
    assert (contracts.name, contracts.recognition) == ("Contracts", Recognition.NEEDED)


def test_without_scripts_the_page_shows_the_refused_field_and_the_others_as_they_are(
    owner: Client, contracts: Datasource
) -> None:
    address = reverse("save_setting", args=[contracts.pk])
    refused = owner.post(address, {"field": "description", "description": "x" * 501})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert "501 of 500 characters." in page
    assert "x" * 501 in page
    assert 'value="Contracts"' in page
    assert owner.get(address).status_code == 302
    done = owner.post(address, {"field": "description", "description": "Signed"}, follow=True)
    assert done.redirect_chain == [(section(contracts, "general"), 302)]
    assert "Saved: What is in it." in text_of(done)


def test_only_settings_can_be_named(owner: Client, contracts: Datasource) -> None:
    unknown = save(owner, contracts, "owner", owner="3")
    assert (unknown.status_code, text_of(unknown)) == (400, "There is no such setting. Nothing was changed.")
    assert owner.post(reverse("save_setting", args=[contracts.pk]), {"name": "Deals"}).status_code == 400


def test_two_people_who_change_different_fields_keep_both(owner: Client, contracts: Datasource) -> None:
    stale = Datasource.objects.get(pk=contracts.pk)
    save(owner, contracts, "scan_languages", scan_languages=["deu"])
    save(owner, contracts, "chunk_overlap", chunk_overlap=50)
    change_datasource(stale, scan_reader="svq", chunk_size=600)
    change_datasource(stale, description="Signed")
    contracts.refresh_from_db()
    assert (contracts.scan_languages, contracts.chunk_overlap) == (["deu"], 50)
    assert (contracts.chunk_size, contracts.description) == (600, "Signed")
    answers = reverse("answer_settings", args=[contracts.pk])
    for field, value in (("judge", {}), ("strict", {"strict": "on"}), ("seconds", {"seconds": 60})):
        owner.post(answers, {"field": field} | value, headers=HTMX)
    chosen = AnswerSettings.objects.get(datasource=contracts)
    assert (chosen.judge, chosen.strict, chosen.seconds, chosen.remember) == (False, True, 60, True)


def shown_in(page: str, datasource_field: str) -> str:
    """What a page that was opened sends along: the value that it showed."""
    hidden = re.search(rf'name="initial-{datasource_field}"[^>]*', page)
    assert hidden, datasource_field
    value = re.search(r'value="([^"]*)"', hidden[0])
    return value[1] if value else ""


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_of_fields_that_go_together_only_the_changed_ones_are_stored(
    owner: Client, contracts: Datasource, headers: dict[str, str]
) -> None:
    opened = owner.get(section(contracts, "reading")).content.decode()
    names = ["chunking", "chunk_size", "chunk_overlap"]
    form = {f"initial-{name}": shown_in(opened, name) for name in names} | {"field": names}
    form |= {name: form[f"initial-{name}"] for name in names}
    address = reverse("save_setting", args=[contracts.pk])
    first = owner.post(address, form | {"chunk_size": "3000"}, headers=headers)
    owner.post(address, form | {"chunk_overlap": "90"}, headers=headers)
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunk_overlap) == (3000, 90)
    if headers:  # the page stays open: it is told what it shows now, so that going back is a change
        assert shown_in(first.content.decode(), "chunk_size") == "3000"


@pytest.mark.parametrize(("name", "place"), [("datasource_budget", "models"), ("extraction_budget", "graph")])
def test_two_people_who_change_different_limits_of_a_budget_keep_both(
    owner: Client, contracts: Datasource, name: str, place: str, settings: Any
) -> None:
    settings.LLM_BASE_URL, settings.LLM_PRICE_INPUT = "http://127.0.0.1:9/v1", Decimal(1)
    address = reverse(name, args=[contracts.pk])
    owner.post(address, {"tokens": "1000", "money": "5"})
    opened = owner.get(section(contracts, place)).content.decode()
    form = {f"initial-{field}": shown_in(opened, field) for field in ("tokens", "money")}
    form |= {field: form[f"initial-{field}"] for field in ("tokens", "money")}
    owner.post(address, form | {"tokens": "2000"})
    owner.post(address, form | {"money": ""})
    page = owner.get(section(contracts, place)).content.decode()
    assert (shown_in(page, "tokens"), shown_in(page, "money")) == ("2000", "")


def test_the_splitting_goes_together_and_says_which_field_is_wrong(
    owner: Client, contracts: Datasource
) -> None:
    make_document(contracts)
    assert "1 file stays as it is. Split it again" in text_of(owner.get(section(contracts, "reading")))
    refused = owner.post(
        reverse("save_setting", args=[contracts.pk]),
        {"field": ["chunk_size", "chunk_overlap"], "chunk_size": "many", "chunk_overlap": "-1"},
        headers=HTMX,
    )
    told = text_of(refused)
    assert "Passage size: A whole number of characters, from 200 to 8,000. Not saved. Still: 1,000" in told
    assert "Overlap: " in told
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunk_overlap) == (1000, 100)


def test_a_setting_is_found_by_what_it_does(owner: Client, contracts: Datasource) -> None:
    home = reverse("datasource_settings", args=[contracts.pk])
    found = owner.get(home, {"q": "scans language"}, headers=HTMX).content.decode()
    assert f'href="{section(contracts, "reading")}#set-scan_languages"' in found
    assert "<html" not in found
    assert "set-strict" in owner.get(home, {"q": "withheld"}).content.decode()
    for typed, anchors in (
        ("privacy", ["set-personal_data"]),
        ("timeout", ["set-seconds"]),
        ("cost", ["#budget", "#graph-budget"]),
    ):
        found = owner.get(home, {"q": typed}, headers=HTMX).content.decode()
        assert all(anchor in found for anchor in anchors), typed
    assert "No setting is called" in text_of(owner.get(home, {"q": "zzyzx"}))


@pytest.mark.parametrize(
    ("address", "field", "value", "told"),
    [
        ("save_setting", "chunk_size", "99999999999", "from 200 to 8,000. Not saved. Still: 1,000"),
        ("save_setting", "chunk_overlap", "99999999999", "at most half of a passage. Not saved. Still: 100"),
        ("save_setting", "chunking", "by luck", "Choose one of those that are offered."),
        ("save_setting", "name", "x" * 130, "130 of 120 characters. Shorten it. Not saved. Still: Contracts"),
        ("answer_settings", "passages", "", "A whole number, from 3 to 25. Not saved. Still: "),
        ("answer_settings", "seconds", "5", "A whole number, from 10 to 3,600. Not saved. Still: "),
        ("answer_settings", "money", "1,50", "An amount such as 1.50"),
        ("answer_settings", "money", "0.0000000001", "at most four digits after the point"),
    ],
)
def test_a_refusal_says_what_is_allowed(
    owner: Client, contracts: Datasource, address: str, field: str, value: str, told: str
) -> None:
    given = {"field": field, field: value}
    refused = owner.post(reverse(address, args=[contracts.pk]), given, headers=HTMX)
    assert refused.status_code == 422
    assert told in text_of(refused)
    assert "Ensure" not in text_of(refused)


@pytest.mark.parametrize(("name", "place"), [("datasource_budget", "models"), ("extraction_budget", "graph")])
def test_a_refused_budget_says_how_to_write_it(
    owner: Client, contracts: Datasource, name: str, place: str
) -> None:
    told = text_of(owner.post(reverse(name, args=[contracts.pk]), {"tokens": "many", "money": "1,50"}))
    assert "A whole number, from 0 to 1,000,000,000,000,000. Empty: no limit." in told


def test_limits_are_said_beforehand(owner: Client, contracts: Datasource) -> None:
    told = text_of(owner.get(section(contracts, "answers")))
    for limits in ("From 3 to 25.", "From 10 to 3,600.", "From 500 to 200,000."):
        assert limits in told


def test_without_a_model_the_first_page_says_what_is_true(owner: Client, contracts: Datasource) -> None:
    SummarySettings.objects.create(datasource=contracts, enabled=True)
    GraphSettings.objects.create(datasource=contracts, extractor=GraphExtractor.MODEL)
    told = text_of(owner.get(reverse("datasource_settings", args=[contracts.pk])))
    assert "No model is connected, so claims are checked by fixed rules." in told
    assert "0 of 0 passages summarised; no model is connected, so no more are." in told
    assert "No model is connected, so only rules read." in told


def test_without_a_model_summaries_are_refused_with_words(owner: Client, contracts: Datasource) -> None:
    address = reverse("summary_settings", args=[contracts.pk])
    refused = owner.post(address, {"field": "enabled", "enabled": "on"}, headers=HTMX)
    assert refused.status_code == 422
    assert "No language model is connected, so nothing is summarised." in text_of(refused)
    assert not SummarySettings.objects.of(contracts).enabled


def test_a_new_name_is_in_the_bar_at_once(owner: Client, contracts: Datasource) -> None:
    saved = save(owner, contracts, "name", name="Deals").content.decode()
    assert re.search(r'<summary [^>]*id="dsname"[^>]*Deals[^>]*hx-swap-oob', saved)
    assert 'id="dsname"' in owner.get(section(contracts, "general")).content.decode()
    assert "dsname" not in save(owner, contracts, "description", description="Signed").content.decode()


def test_settings_are_in_the_command_palette(owner: Client, contracts: Datasource) -> None:
    here = {"datasource": str(contracts.pk), "q": "overlap"}
    shown = owner.get(reverse("palette"), here).content.decode()
    assert f'href="{section(contracts, "reading")}#set-chunk_overlap"' in shown
    assert reverse("account_appearance") in owner.get(reverse("palette"), {"q": "theme"}).content.decode()


def test_the_account_has_the_same_search(owner: Client) -> None:
    found = owner.get(reverse("account_settings"), {"q": "shortcut"}, headers=HTMX).content.decode()
    assert f'href="{reverse("account_appearance")}#set-single_key_shortcuts"' in found
    refused = owner.post(reverse("save_account_setting"), {"field": "name", "name": "x" * 200}, headers=HTMX)
    assert refused.status_code == 422
    assert "Still: Alice" in text_of(refused)
