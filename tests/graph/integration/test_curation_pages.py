"""Putting the graph right on its pages: the review queue, changes of an entity, the list of decisions."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.models import User
from datasources.models import Datasource, Document, Membership, Role
from graph.curation import services
from graph.models import Decision, DecisionKind, Entity, EntityName
from ingestion.adding.upload import accept_upload
from tests.formats.pdfs import make_pdf
from tests.graph.corpus import PAIRS, TEXTS, named, picture, upload
from tests.people import browser_of, person
from tests.responses import text_of

SMITHS = {"john smith", "j smith"}


@pytest.fixture
def client(contracts: Datasource, alice: User) -> Client:
    """Alice's browser."""
    return browser_of(alice)


def review(datasource: Datasource) -> str:
    return reverse("graph_review", args=[datasource.pk])


def shown(client: Client, datasource: Datasource, **query: str) -> Any:
    return client.get(review(datasource), query)


def answer(client: Client, datasource: Datasource, said: str, page: Any = None, **headers: str) -> Any:
    """Press a button of the page, by default of the queue's first."""
    pair = (page or shown(client, datasource)).context["pair"]
    form = {"a": pair.a.name.pk, "b": pair.b.name.pk, "answer": said}
    return client.post(review(datasource), form, follow=True, headers=headers)


def change(client: Client, entity: Entity, kind: str, **form: Any) -> Any:
    address = reverse(f"entity_{kind}", args=[entity.datasource_id, entity.pk])
    return client.post(address, form, follow=True)


def undo(client: Client, decision: Decision, **form: str) -> Any:
    address = reverse("graph_decision_undo", args=[decision.datasource_id, decision.pk])
    return client.post(address, form, follow=True)


# --- the review queue ------------------------------------------------------------------------------------
def test_a_pair_stands_side_by_side_with_what_documents_say(client: Client, contracts: Datasource) -> None:
    documents = upload(contracts, *PAIRS)
    page = shown(client, contracts)
    assert {side.name.key for side in (page.context["pair"].a, page.context["pair"].b)} <= {
        *SMITHS,
        "world health organisation",
        "world health organization",
    }
    while {page.context["pair"].a.name.key, page.context["pair"].b.name.key} != SMITHS:
        page = shown(client, contracts, after=str(page.context["pair"].position))
    words, html = text_of(page), page.content.decode()
    assert "“J. Smith” may be short for the other name. Likeness 86 of 100" in words
    assert "2 mentions in 1 document" in words
    assert "<mark>John Smith</mark> leads Halden Foods in Oslo." in html
    assert f"/d/{contracts.pk}/documents/{documents[0].pk}/?q=John+Smith&amp;page=1" in html


def test_the_same_joins_the_two_and_shows_the_next_pair(client: Client, contracts: Datasource) -> None:
    upload(contracts, *PAIRS)
    first = shown(client, contracts)
    left = first.context["left"]
    page = answer(client, contracts, "same", first)
    pair = first.context["pair"]
    assert named(contracts, pair.a.name.key) == named(contracts, pair.b.name.key)
    assert page.context["left"] == left - 1
    assert "are one thing." in text_of(page)
    decision = Decision.objects.get()
    assert decision.decided_by == contracts.owner
    undo(client, decision, to="review")
    assert shown(client, contracts).context["left"] == left
    assert named(contracts, pair.a.name.key) != named(contracts, pair.b.name.key)


def test_two_different_things_are_not_asked_about_again(client: Client, contracts: Datasource) -> None:
    upload(contracts, PAIRS[0], PAIRS[1])
    assert shown(client, contracts).context["left"] == 1
    page = answer(client, contracts, "apart")
    assert "Nothing to decide" in text_of(page)
    upload(contracts, "J. Smith and John Smith came to Bergen.")
    assert shown(client, contracts).context["left"] == 0
    assert named(contracts, "j smith") != named(contracts, "john smith")


def test_a_decision_holds_for_later_uploads(client: Client, contracts: Datasource) -> None:
    upload(contracts, PAIRS[0], PAIRS[1])
    answer(client, contracts, "same")
    upload(contracts, "In Bergen, J. Smith met Mira Okafor.")
    assert named(contracts, "j smith") == named(contracts, "john smith")
    assert named(contracts, "j smith").document_count == 3
    assert "Nothing to decide" in text_of(shown(client, contracts))


def test_one_question_for_two_entities_with_several_names(client: Client, contracts: Datasource) -> None:
    upload(contracts, *PAIRS[:2], "John Adam Smith came.", "John A. Smith went to Oslo.")
    for _ in range(shown(client, contracts).context["left"]):
        page = shown(client, contracts)
        if page.context["pair"] is None:
            break
        left = page.context["left"]
        assert answer(client, contracts, "same", page).context["left"] < left
    assert shown(client, contracts).context["left"] == 0


def test_a_passed_over_pair_stays_open(client: Client, contracts: Datasource) -> None:
    upload(contracts, *PAIRS)
    first = shown(client, contracts)
    second = shown(client, contracts, after=str(first.context["pair"].position))
    assert second.context["pair"].position != first.context["pair"].position
    assert second.context["left"] == first.context["left"] == 2
    end = shown(client, contracts, after=str(second.context["pair"].position))
    assert "2 pairs that you passed over are still open." in text_of(end)


def test_a_script_gets_the_next_pair_alone(client: Client, contracts: Datasource) -> None:
    upload(contracts, *PAIRS)
    page = answer(client, contracts, "same", **{"HX-Request": "true"})
    html = page.content.decode()
    assert html.strip().startswith("<div")
    assert "<html" not in html
    assert 'id="review"' in html
    assert 'data-key="u"' in html


def test_a_pair_that_was_decided_meanwhile_is_told(client: Client, contracts: Datasource) -> None:
    upload(contracts, *PAIRS[:2])
    stale = shown(client, contracts)
    answer(client, contracts, "same")
    assert "These two are already the same entity." in text_of(answer(client, contracts, "apart", stale))
    undo(client, Decision.objects.get())
    stale = shown(client, contracts)
    answer(client, contracts, "apart")
    told = answer(client, contracts, "same", stale, **{"HX-Request": "true"})
    assert "A decision says that these are two different things." in text_of(told)
    assert Decision.objects.get().kind == DecisionKind.APART
    again = answer(client, contracts, "apart", stale)
    assert again.status_code == 200
    assert Decision.objects.count() == 1


def test_a_pair_whose_documents_are_gone_is_told(client: Client, contracts: Datasource) -> None:
    from tests.graph.corpus import delete

    documents = upload(contracts, *PAIRS[:2])
    stale = shown(client, contracts)
    delete(contracts, *documents)
    assert "no longer in the graph" in text_of(answer(client, contracts, "same", stale))
    nonsense = client.post(review(contracts), {"a": "x", "b": "9" * 30, "answer": "same"}, follow=True)
    assert "no longer in the graph" in text_of(nonsense)
    assert shown(client, contracts, after="nan_1_x").status_code == 200
    assert shown(client, contracts, after=f"0.9_{10**30}_1").status_code == 200
    assert shown(client, contracts, decided="9" * 30).status_code == 200


def test_a_viewer_may_look_but_not_decide(contracts: Datasource, bob: User) -> None:
    upload(contracts, *PAIRS)
    client = browser_of(bob)
    page = shown(client, contracts)
    assert "John Smith" in text_of(page)
    assert 'value="same"' not in page.content.decode()
    assert client.post(review(contracts), {"a": 1, "b": 2, "answer": "same"}).status_code == 403
    decision = services.hide(named(contracts, "oslo"))
    listed = client.get(reverse("graph_decisions", args=[contracts.pk]))
    assert "is left out" in text_of(listed)
    assert "/undo/" not in listed.content.decode()
    assert undo(client, decision).status_code == 403


def test_whoever_is_not_there_is_not_asked_about(client: Client, contracts: Datasource) -> None:
    upload(contracts, *PAIRS[:2])
    services.hide(named(contracts, "j smith"))
    assert "Nothing to decide" in text_of(shown(client, contracts))
    upload(contracts, *TEXTS[:2])
    apple = named(contracts, "apple")
    document = Document.objects.get(datasource=contracts, sha256=f"{1:064d}")
    left = shown(client, contracts).context["left"]
    services.split(apple.names.get(), document)
    assert shown(client, contracts).context["left"] == left


# --- one entity ------------------------------------------------------------------------------------------
def test_an_entity_is_merged_with_one_that_a_search_finds(client: Client, contracts: Datasource) -> None:
    upload(contracts, *TEXTS)
    beats, cupertino = named(contracts, "beats electronics"), named(contracts, "cupertino")
    address = reverse("entity_merge", args=[contracts.pk, cupertino.pk])
    found = client.get(address, {"q": "beats"})
    assert [entity.pk for entity, _ in found.context["form"].candidates()] == [beats.pk]
    part = client.get(address, {"q": "cupert"}, headers={"HX-Request": "true", "HX-Target": "found"})
    assert text_of(part) == "No other entity has a name like that."
    page = change(client, cupertino, "merge", other=beats.pk)
    both = named(contracts, "cupertino")
    assert both == named(contracts, "beats electronics")
    assert page.redirect_chain[-1][0] == f"/d/{contracts.pk}/graph/?entity={both.pk}"
    upload(contracts, "Beats Electronics left Cupertino for Mobile.")
    assert named(contracts, "beats electronics") == named(contracts, "cupertino")


def test_another_name_may_come_before_its_documents(client: Client, contracts: Datasource) -> None:
    upload(contracts, TEXTS[0])
    change(client, named(contracts, "apple"), "alias", name="Beats Electronics")
    upload(contracts, TEXTS[1])
    assert named(contracts, "beats electronics") == named(contracts, "apple")
    again = change(client, named(contracts, "apple"), "alias", name="Beats Electronics")
    assert again.status_code == 422
    assert "It already has this name." in text_of(again)


def test_a_name_is_split_off_and_put_back(client: Client, contracts: Datasource) -> None:
    upload(contracts, TEXTS[5], TEXTS[8])
    microsoft = named(contracts, "microsoft")
    before = picture(contracts)
    micro = EntityName.objects.get(datasource=contracts, key="micro soft")
    page = change(client, microsoft, "split", name=micro.pk)
    assert "is now an entity of its own" in text_of(page)
    assert named(contracts, "micro soft") != named(contracts, "microsoft")
    decision = Decision.objects.get()
    back = undo(client, decision, to="entity")
    assert back.redirect_chain[-1][0].endswith(f"?entity={named(contracts, 'microsoft').pk}")
    assert picture(contracts) == before


def test_what_was_merged_by_a_decision_is_parted_by_its_undo(client: Client, contracts: Datasource) -> None:
    upload(contracts, *TEXTS[:2])
    change(client, named(contracts, "beats electronics"), "merge", other=named(contracts, "cupertino").pk)
    name = EntityName.objects.get(datasource=contracts, key="cupertino")
    page = change(client, named(contracts, "cupertino"), "split", name=name.pk)
    assert page.status_code == 422
    assert "Undo that decision instead." in text_of(page)


def test_a_name_means_another_thing_in_one_document(client: Client, contracts: Datasource) -> None:
    first, second, third = upload(contracts, TEXTS[0], TEXTS[1], TEXTS[3])
    apple = named(contracts, "apple")
    name = apple.names.get()
    form = client.get(reverse("entity_split", args=[contracts.pk, apple.pk]))
    assert set(form.context["form"].offered()) == {first, second}
    assert change(client, apple, "split", name=name.pk, document=third.pk).status_code == 422
    assert "It has no other name." in text_of(change(client, apple, "split", name=name.pk))
    change(client, apple, "split", name=name.pk, document=second.pk)
    both = Entity.objects.filter(datasource=contracts, names__key="apple")
    assert sorted(entity.document_count for entity in both) == [1, 1]
    again = change(client, named(contracts, "apple"), "split", name=name.pk, document=first.pk)
    assert "No other document uses this name." in text_of(again)


def test_name_and_types_are_changed(client: Client, contracts: Datasource) -> None:
    upload(contracts, *TEXTS[:2])
    change(client, named(contracts, "apple"), "rename", name="  Apple   Computer ")
    change(client, named(contracts, "apple"), "types", types=["ORGANIZATION"], more="maker of phones, ,")
    apple = named(contracts, "apple")
    assert (apple.name, apple.types) == ("Apple Computer", ["ORGANIZATION", "MAKER_OF_PHONES"])
    assert change(client, apple, "rename", name=" ").status_code == 422
    assert "An entity needs a type." in text_of(change(client, apple, "types"))


def test_what_is_left_out_can_be_found_and_brought_back(client: Client, contracts: Datasource) -> None:
    upload(contracts, *TEXTS[:2])
    before = picture(contracts)
    page = change(client, named(contracts, "apple"), "hide")
    decision = Decision.objects.get()
    assert f"/graph/decisions/#decision-{decision.pk}" in page.content.decode()
    assert named(contracts, "apple").hidden
    listed = client.get(reverse("graph_decisions", args=[contracts.pk]))
    assert "is left out. Alice, just now" in text_of(listed)
    undo(client, decision)
    assert picture(contracts) == before
    assert "already undone" in text_of(undo(client, decision))


def test_an_entity_that_is_gone_is_told(client: Client, contracts: Datasource) -> None:
    upload(contracts, *TEXTS[:2])
    apple, cupertino = named(contracts, "apple"), named(contracts, "cupertino")
    change(client, apple, "merge", other=cupertino.pk)
    assert "no longer in the graph" in text_of(change(client, cupertino, "rename", name="Town"))
    assert client.get(reverse("entity_hide", args=[contracts.pk, cupertino.pk])).status_code == 404
    told = change(client, apple, "merge", other=cupertino.pk)
    assert "Search for the other entity and choose it" in text_of(told)
    assert "Only two entities" in text_of(change(client, apple, "merge", other=apple.pk))


def test_things_of_other_datasources_are_out_of_reach(
    client: Client, contracts: Datasource, charlie: User
) -> None:
    from datasources.services import create_datasource

    strange = create_datasource(charlie, "Recipes")
    upload(strange, TEXTS[0])
    upload(contracts, TEXTS[1])
    foreign, own = named(strange, "apple"), named(contracts, "apple")
    decision = services.hide(named(strange, "cupertino"))
    assert change(client, own, "merge", other=foreign.pk).status_code == 422
    name = foreign.names.get()
    assert change(client, own, "split", name=name.pk).status_code == 422
    assert client.get(reverse("entity_hide", args=[contracts.pk, foreign.pk])).status_code == 404
    wrong = reverse("graph_decision_undo", args=[contracts.pk, decision.pk])
    assert "already undone" in text_of(client.post(wrong, follow=True))
    assert Decision.objects.filter(pk=decision.pk).exists()


def test_an_editor_may_decide(contracts: Datasource) -> None:
    erin = person("erin")
    Membership.objects.create(datasource=contracts, user=erin, role=Role.EDITOR)
    upload(contracts, *PAIRS[:2])
    answer(browser_of(erin), contracts, "same")
    assert Decision.objects.get().decided_by == erin


def test_what_was_split_in_a_document_stays_split_in_its_next_version(
    contracts: Datasource, alice: User, work: Any, transactional_db: None, tmp_path: Path
) -> None:
    def read(name: str, text: str, **more: Any) -> Document:
        with make_pdf(tmp_path / f"{name}.pdf", [[text]]).open("rb") as file:
            (taken,) = accept_upload(contracts, alice, f"{name}.pdf", file, **more)
        work()
        return taken.document

    fruit = read("fruit", "Apple Gala ripens in Kent. Apple Gala was bred by Donald Kirk.")
    read("party", "Apple Gala opens in Bergen. Apple Gala invites Mira Okafor.")
    client = browser_of(alice)
    gala = named(contracts, "apple gala")
    change(client, gala, "split", name=gala.names.get().pk, document=fruit.pk)
    fruits = Entity.objects.get(datasource=contracts, names__key="apple gala", names__sense__gt="")
    change(client, fruits, "rename", name="Apple Gala (fruit)")
    read("fruit2", "Apple Gala ripens in September. Apple Gala was bred by Donald Kirk.", replaces=fruit)
    galas = Entity.objects.filter(datasource=contracts, names__key="apple gala")
    assert sorted(gala.name for gala in galas) == ["Apple Gala", "Apple Gala (fruit)"]
    assert Decision.objects.count() == 2


# --- any decisions, undone in any order ------------------------------------------------------------------
KEYS = ("apple", "cupertino", "beats electronics", "microsoft", "nasa", "johannes hauptmann", "zanzibar")
ACT = st.one_of(
    st.tuples(st.just("merge"), st.sampled_from(KEYS), st.sampled_from(KEYS)),
    st.tuples(st.just("alias"), st.sampled_from(KEYS), st.sampled_from([*KEYS, "Somebody Else"])),
    st.tuples(st.just("rename"), st.sampled_from(KEYS), st.just("Another Name")),
    st.tuples(st.just("hide"), st.sampled_from(KEYS), st.just("")),
    st.tuples(st.just("answer"), st.just(""), st.sampled_from(["same", "apart"])),
)


def act(client: Client, datasource: Datasource, what: tuple[str, str, str]) -> None:
    kind, key, value = what
    if kind == "answer":
        if shown(client, datasource).context["pair"]:
            answer(client, datasource, value)
        return
    entity = named(datasource, key)
    form = {"other": named(datasource, value).pk} if kind == "merge" else {"name": value}
    change(client, entity, kind, **form)


@settings(max_examples=8, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(acts=st.lists(ACT, min_size=1, max_size=4), data=st.data())
def test_undoing_everything_on_the_page_leaves_the_graph_as_it_was(
    client: Client, contracts: Datasource, acts: Any, data: Any
) -> None:
    if not contracts.documents.exists():
        upload(contracts, *TEXTS)
    before = picture(contracts)
    for what in acts:
        act(client, contracts, what)
    for decision in data.draw(st.permutations(list(Decision.objects.all()))):
        undo(client, decision)
    assert picture(contracts) == before
