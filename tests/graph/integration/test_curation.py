"""People's decisions about entities hold for later uploads, and each can be taken back."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from datasources.models import Document, DocumentStatus
from datasources.services import create_datasource
from graph.aggregate import update
from graph.curation import services
from graph.models import Decision, DecisionKind, Entity
from tests.graph.corpus import TEXTS, named, picture, store, upload
from tests.people import person


def test_a_merge_holds_for_later_uploads_and_can_be_undone(home):
    upload(home, *TEXTS[:2])
    before = picture(home)
    decision = services.merge(named(home, "beats electronics"), named(home, "cupertino"))
    both = named(home, "cupertino")
    assert {name.key for name in both.names.all()} == {"beats electronics", "cupertino"}
    upload(home, TEXTS[7])
    assert named(home, "cupertino") == named(home, "beats electronics")
    assert named(home, "cupertino").document_count == 3
    services.undo(decision)
    assert named(home, "cupertino") != named(home, "beats electronics")
    assert {e[0] for e in before["entities"]} <= {e[0] for e in picture(home)["entities"]}


def test_undo_leaves_the_graph_as_if_nothing_had_been_decided(home):
    upload(home, *TEXTS)
    before = picture(home)
    apple, microsoft = named(home, "apple"), named(home, "microsoft")
    names = list(microsoft.names.all())
    document = Document.objects.get(datasource=home, sha256=f"{4:064d}")
    for decide in (
        lambda: services.merge(apple, microsoft),
        lambda: services.keep_apart(names[0], names[1]),
        lambda: services.rename(apple, "Apple Computer"),
        lambda: services.retype(apple, ["COMPANY"]),
        lambda: services.hide(apple),
        lambda: services.add_alias(apple, "Cupertino"),
        lambda: services.split(apple.names.get(), document),
    ):
        decision = decide()
        assert picture(home) != before
        services.undo(decision)
        assert picture(home) == before


def test_names_kept_apart_stay_apart_when_more_documents_come(home):
    upload(home, TEXTS[5])
    names = list(named(home, "microsoft").names.order_by("key"))
    assert len(names) == 2
    services.keep_apart(names[0], names[1])
    upload(home, TEXTS[8])
    assert named(home, "micro soft") != named(home, "microsoft")


def test_an_alias_may_come_before_any_document_uses_it(home):
    upload(home, TEXTS[0])
    services.add_alias(named(home, "apple"), "Beats Electronics")
    upload(home, TEXTS[1])
    assert named(home, "beats electronics") == named(home, "apple")


def test_a_new_name_and_types_survive_deletion_and_return_of_a_document(home):
    upload(home, *TEXTS[:2])
    services.rename(named(home, "apple"), "Apple Computer")
    services.retype(named(home, "apple"), ["COMPANY"])
    upload(home, TEXTS[4])
    apple = named(home, "apple")
    assert (apple.name, apple.types) == ("Apple Computer", ["COMPANY"])


def test_a_homonym_in_one_document_becomes_a_thing_of_its_own(home):
    documents = upload(home, TEXTS[0], TEXTS[1])
    assert documents[1].status == DocumentStatus.READY
    services.split(named(home, "apple").names.get(), documents[1])
    senses = Entity.objects.filter(datasource=home, names__key="apple")
    assert sorted(entity.document_count for entity in senses) == [1, 1]


def test_two_people_who_decide_at_once_cannot_both_be_right(transactional_db):
    datasource = create_datasource(person("alice"), "Home")
    upload(datasource, TEXTS[0], TEXTS[1])
    one, two = named(datasource, "apple"), named(datasource, "cupertino")
    names = one.names.get(), two.names.get()
    together = Barrier(2)

    def decide(how, *about):
        together.wait()
        try:
            return how(*about)
        except ValidationError as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as people:
        both = [people.submit(decide, services.merge, one, two)]
        both.append(people.submit(decide, services.keep_apart, *names))
        answers = [answer.result() for answer in both]
    decision = Decision.objects.get()
    assert decision in answers
    assert set(answers) - {decision} <= {"merged", "kept_apart"}
    merged = named(datasource, "apple") == named(datasource, "cupertino")
    assert merged == (decision.kind == DecisionKind.MERGE)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda apple, other: services.merge(apple, apple), "not_two"),
        (lambda apple, other: services.rename(apple, " "), "empty"),
        (lambda apple, other: services.retype(apple, ["", " "]), "empty"),
        (lambda apple, other: services.add_alias(apple, "…"), "empty"),
        (lambda apple, other: services.add_alias(apple, "The APPLE Company"), "known"),
        (lambda apple, other: services.keep_apart(apple.names.get(), apple.names.get()), "not_two"),
        (lambda apple, other: services.separate(apple.names.get()), "only"),
        (lambda apple, other: services.split(apple.names.get(), other), "unused"),
    ],
)
def test_a_decision_that_decides_nothing_is_refused(home, act, code):
    _, other = upload(home, TEXTS[0], TEXTS[2])
    before = picture(home)
    with pytest.raises(ValidationError) as refused:
        act(named(home, "apple"), other)
    assert refused.value.code == code
    assert not Decision.objects.exists()
    assert picture(home) == before


def test_a_decision_made_twice_is_one(home):
    upload(home, *TEXTS[:2])
    assert services.hide(named(home, "apple")) == services.hide(named(home, "apple"))
    apple, town = named(home, "apple").names.get(), named(home, "cupertino").names.get()
    assert services.keep_apart(apple, town) == services.keep_apart(town, apple)
    assert Decision.objects.count() == 2


def test_what_is_kept_apart_is_not_merged_and_what_is_merged_not_kept_apart(home):
    upload(home, *TEXTS[:2])
    apple, town, beats = (named(home, key) for key in ("apple", "cupertino", "beats electronics"))
    services.keep_apart(apple.names.get(), town.names.get())
    with pytest.raises(ValidationError) as refused:
        services.merge(apple, town)
    assert refused.value.code == "kept_apart"
    names = apple.names.get(), beats.names.get()
    services.merge(apple, beats)
    with pytest.raises(ValidationError) as refused:
        services.keep_apart(*names)
    assert refused.value.code == "merged"


def test_two_datasources_have_no_entity_in_common(home):
    upload(home, TEXTS[0])
    other = create_datasource(home.owner, "Other")
    upload(other, TEXTS[0])
    with pytest.raises(ValidationError) as refused:
        services.merge(named(home, "apple"), named(other, "apple"))
    assert refused.value.code == "not_two"


def test_what_was_decided_about_a_version_holds_for_the_next(home):
    old, _ = upload(home, TEXTS[0], TEXTS[1])
    services.split(named(home, "apple").names.get(), old)
    apart = Entity.objects.exclude(sense="").get(datasource=home, names__key="apple")
    services.rename(apart, "Apple of the letter")
    (new, _) = store(home, TEXTS[0] + " ")
    services.hand_on(home.pk, old.pk, new.pk)
    update.change(home.pk, added=[new.pk], removed=[old.pk])
    renamed = Entity.objects.get(datasource=home, name="Apple of the letter")
    assert renamed.names.get().mentions.get().document == new
    assert Decision.objects.filter(document=new).count() == 1


def test_decisions_about_a_document_alone_go_with_it(home):
    document, _ = upload(home, TEXTS[0], TEXTS[1])
    services.split(named(home, "apple").names.get(), document)
    services.hide(named(home, "beats electronics"))
    services.forget(home.pk, [document.pk])
    assert [decision.kind for decision in Decision.objects.all()] == [DecisionKind.HIDE]
