"""Question sets: versions, gold quotes that follow their documents, and what goes when a document goes."""

import json
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from accounts.models import Usage, User
from accounts.quotas import QuotaUsedUp
from chat.models import Feedback
from datasources import derived
from datasources.derived import Change
from datasources.models import Datasource, Document, DocumentStatus
from desks.evaluation.generation import making
from desks.evaluation.generation.absent import no_source
from desks.evaluation.generation.balance import choose
from desks.evaluation.generation.corpus import Corpus
from desks.evaluation.generation.making import make
from desks.evaluation.generation.single import single_source
from desks.evaluation.models import GoldQuote, Kind, Origin, PaidWriting, Question, QuestionSet, SetStatus
from desks.evaluation.questions import services
from desks.evaluation.questions.draft import Draft, Proof
from desks.evaluation.questions.importing import import_questions
from desks.evaluation.questions.rated import propose_rated
from desks.evaluation.questions.services import (
    add_questions,
    change_question,
    create_set,
    look_again,
    order_questions,
    remove_questions,
    set_order,
)
from graph.models import Entity
from ingestion.lifecycle.deletion import delete, restore
from ingestion.lifecycle.purging import purge
from jobs.runs import Stopped
from providers.spending.models import Spending
from tests.evaluation.world import BACKUPS, INVOICES, documents, proof, question_set
from tests.factories import make_document, make_turn
from tests.openai_server import ScriptedOpenAI, ScriptedReply, text_reply

pytestmark = pytest.mark.django_db


def texts(made: QuestionSet, version: int) -> list[str]:
    return list(made.questions.of_version(version).values_list("text", flat=True))


def test_every_change_is_a_version_and_old_ones_stay_as_they_were(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    first = made.questions.current().get(kind=Kind.SINGLE)
    change_question(first, kind=Kind.SINGLE, text="For how long are backups kept?", reference=BACKUPS)
    absent = made.questions.current().get(kind=Kind.NONE)
    remove_questions(made, [absent.key])
    made.refresh_from_db()
    assert made.version == 3
    assert "How long are backups kept?" in texts(made, 1)
    assert "For how long are backups kept?" in texts(made, 2)
    assert (len(texts(made, 1)), len(texts(made, 2)), len(texts(made, 3))) == (3, 3, 2)
    new = made.questions.current().get(key=first.key)
    assert new.gold.get().quote == BACKUPS, "the quotes are kept"


def test_who_edits_a_set_that_was_deleted_meanwhile_is_told(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    question = made.questions.select_related("question_set").first()
    assert question is not None
    services.delete_set(QuestionSet.objects.get(pk=made.pk))
    with pytest.raises(ValidationError, match="deleted meanwhile"):
        change_question(question, kind=Kind.SINGLE, text="When does it end?", reference="")
    draft = Draft(kind=Kind.SINGLE, text="When does it end?", reference="In 2027.")
    with pytest.raises(ValidationError, match="deleted meanwhile"):
        import_questions(made, [draft], alice)
    assert remove_questions(made, [question.key]) == 0


def test_a_quote_is_placed_by_its_words(contracts: Datasource, alice: User) -> None:
    text = "First things first.\nBackups are\nkept for thirty days. The rest is silence."
    document = make_document(contracts, "Notes", text)
    made = create_set(contracts, "Notes", alice)
    proof = Proof(document_id=document.pk, title="Notes", quote="Backups are kept for thirty days.")
    wrong = Proof(document_id=document.pk, title="Notes", quote="Backups are kept for ninety days.")
    add_questions(
        made,
        [
            Draft(kind=Kind.SINGLE, text="How long?", reference="Thirty days.", proofs=(proof,)),
            Draft(kind=Kind.SINGLE, text="How long then?", reference="Ninety days.", proofs=(wrong,)),
        ],
        Origin.IMPORT,
    )
    right, stale = made.questions.current()
    gold = right.gold.get()
    assert text[gold.start : gold.end] == "Backups are\nkept for thirty days."
    assert gold.page == 1
    assert not right.is_stale
    assert stale.is_stale


def test_a_name_is_taken_once_in_a_datasource(contracts: Datasource, alice: User) -> None:
    create_set(contracts, "First", alice)
    with pytest.raises(ValidationError, match="already"):
        create_set(contracts, " First ", alice)


def test_a_quote_follows_its_document_into_a_new_version(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    old = contracts.documents.get(title="Questionnaire")
    new = make_document(contracts, "Questionnaire", f"A new beginning. {BACKUPS}", replaces=old)
    type(new).objects.filter(pk=new.pk).update(ready_at=new.created, replaces=old)
    old.write(status=DocumentStatus.SUPERSEDED)
    derived.apply(Change(datasource_id=contracts.pk, published=[new.pk], superseded={old.pk: new.pk}))
    gold = GoldQuote.objects.get(question__kind=Kind.SINGLE)
    assert (gold.document_id, gold.is_stale) == (new.pk, False)
    assert gold.start == len("A new beginning. ")
    assert not made.questions.filter(gold__is_stale=True).exists()


def test_a_quote_that_the_new_version_does_not_have_is_stale(contracts: Datasource, alice: User) -> None:
    question_set(contracts, alice)
    old = contracts.documents.get(title="Questionnaire")
    new = make_document(contracts, "Questionnaire", "Nothing is kept at all.", replaces=old)
    type(new).objects.filter(pk=new.pk).update(ready_at=new.created, replaces=old)
    old.write(status=DocumentStatus.SUPERSEDED)
    derived.apply(Change(datasource_id=contracts.pk, published=[new.pk], superseded={old.pk: new.pk}))
    assert Question.objects.get(kind=Kind.SINGLE).is_stale


def test_a_deleted_document_makes_its_questions_stale_until_it_is_restored(
    contracts: Datasource, alice: User
) -> None:
    question_set(contracts, alice)
    document = contracts.documents.get(title="Questionnaire")
    delete(document, alice)
    assert Question.objects.get(kind=Kind.SINGLE).is_stale
    document.refresh_from_db()
    restore(document)
    assert not Question.objects.get(kind=Kind.SINGLE).is_stale


def test_a_purge_takes_made_questions_and_the_quotes_of_those_that_people_wrote(
    contracts: Datasource, alice: User
) -> None:
    made = question_set(contracts, alice)
    written = made.questions.get(kind=Kind.SINGLE)
    made.questions.filter(kind=Kind.MULTI).update(origin=Origin.RULES)
    receipt = purge(contracts.documents.get(title="Questionnaire"), alice)
    assert receipt.removed["gold_quotes"] == 2
    assert not made.questions.filter(kind=Kind.MULTI).exists()
    written.refresh_from_db()
    gold = written.gold.get()
    assert (gold.quote, gold.document_id, gold.is_stale) == ("", None, True)


def test_what_is_purged_while_questions_are_made_is_in_none_of_them(
    contracts: Datasource, alice: User, monkeypatch: Any
) -> None:
    make_document(contracts, "Agreement", AGREEMENT)
    gone = make_document(contracts, "Secrets", "The Supplier must destroy keys within 7 days of leaving.")
    made = create_set(contracts, "Made", alice)

    def chosen_late(*args: Any) -> Any:
        told = choose(*args)
        if Document.objects.filter(pk=gone.pk).exists():
            purge(gone, alice)
        return told

    monkeypatch.setattr(making, "choose", chosen_late)
    set_order(made, {"single": 20}, by_model=False)
    make(made.pk)
    assert made.questions.exists()
    assert not GoldQuote.objects.filter(quote__contains="destroy keys").exists()
    assert not made.questions.filter(reference__contains="destroy keys").exists()


def test_a_no_source_question_goes_with_the_last_document_that_its_words_are_from(
    contracts: Datasource, alice: User
) -> None:
    make_document(contracts, "Answers", QUESTIONS)
    document = make_document(contracts, "Agreement", AGREEMENT)
    made = create_set(contracts, "Made", alice)
    set_order(made, {"none": 10}, by_model=False)
    make(made.pk)
    assert made.questions.filter(text__contains="the Supplier").exists()
    purge(document, alice)
    assert not made.questions.filter(text__contains="the Supplier").exists()


def test_a_quote_of_a_deleted_document_goes_or_comes_back_with_it(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    document = contracts.documents.get(title="Questionnaire")
    old = made.questions.get(kind=Kind.SINGLE)
    delete(document, alice)
    new = change_question(old, kind=Kind.SINGLE, text="For how long?", reference="Thirty days.")
    assert new.gold.get().is_stale
    document.refresh_from_db()
    restore(document)
    assert not new.gold.get().is_stale
    purge(document, alice)
    assert not GoldQuote.objects.filter(quote__contains="thirty days").exists()


def test_a_quote_is_found_once_its_document_is_there(contracts: Datasource, alice: User) -> None:
    made = create_set(contracts, "Early", alice)
    early = Proof(document_id=None, title="questionnaire", quote=BACKUPS)
    add_questions(
        made, [Draft(kind=Kind.SINGLE, text="How long?", reference="", proofs=(early,))], Origin.IMPORT
    )
    assert made.questions.get().is_stale
    documents(contracts)
    assert look_again(made) == 0
    assert not made.questions.get().is_stale


def test_a_quote_far_down_in_a_long_document_is_not_stale(
    contracts: Datasource, alice: User, monkeypatch: Any
) -> None:
    monkeypatch.setattr("desks.evaluation.questions.gold.LOOKED_THROUGH", 100)
    make_document(contracts, "Long", "Much is said before it. " * 20 + BACKUPS)
    made = create_set(contracts, "Long", alice)
    asked = Draft(
        kind=Kind.SINGLE,
        text="How long?",
        reference="",
        proofs=(proof(contracts.documents.get(), BACKUPS),),
    )
    add_questions(made, [asked], Origin.IMPORT)
    assert look_again(made) == 0


def test_a_quote_is_not_put_into_a_longer_figure(contracts: Datasource, alice: User) -> None:
    text = "Invoices are due in 130 days of delivery. Backups are kept 30 days of the year."
    document = make_document(contracts, "Notes", text)
    made = create_set(contracts, "Figures", alice)
    asked = Draft(kind=Kind.SINGLE, text="How long?", reference="", proofs=(proof(document, "30 days of"),))
    add_questions(made, [asked], Origin.IMPORT)
    assert made.questions.get().gold.get().start == text.index(" 30 days") + 1


def test_more_than_a_set_holds_is_refused_before_it_is_made(
    contracts: Datasource, alice: User, monkeypatch: Any
) -> None:
    monkeypatch.setattr(services, "MOST_QUESTIONS", 10)
    made = question_set(contracts, alice)
    with pytest.raises(ValidationError, match="10 questions at most, this one has 3"):
        order_questions(made, {"single": 8}, alice, by_model=False)


# --- made by rules ---------------------------------------------------------------------------------------
AGREEMENT = (
    '"Availability" means the percentage of minutes in a calendar month, leaving out Planned Maintenance. '
    "The Supplier shall notify the Customer of a personal data breach within 24 hours of learning of it. "
    f"{INVOICES} The target for Availability is 99.5 per cent in each calendar month. "
    "The Supplier may suspend access to Waypoint only if an undisputed sum of more than £20,000 is overdue."
)
QUESTIONS = "How long do you keep backups? Nightly backups are kept for 90 days by default. "


def test_questions_are_made_without_a_model_and_prove_themselves(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Agreement", AGREEMENT)
    make_document(
        contracts, "Answers", QUESTIONS + "The Supplier must destroy keys within 7 days of leaving."
    )
    made = create_set(contracts, "Made", alice)
    set_order(made, {"single": 4, "multi": 1, "none": 3}, by_model=False)
    make(made.pk)
    made.refresh_from_db()
    assert (made.status, made.error_message) == (SetStatus.READY, "")
    kinds = [question.kind for question in made.questions.current()]
    assert kinds.count(Kind.SINGLE) == 4
    assert kinds.count(Kind.NONE) == 3
    for question in made.questions.exclude(kind=Kind.NONE):
        golds = list(question.gold.select_related("document"))
        assert golds
        for gold in golds:
            assert gold.document
            page = gold.document.pages.get()
            assert page.text[gold.start : gold.end] == gold.quote
            assert gold.document.title not in question.text
    for question in made.questions.filter(kind=Kind.NONE):
        assert question.reference.startswith("Not in these documents: none of 2 passages")
        assert not question.gold.exists()


def test_making_again_adds_no_question_twice(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Agreement", AGREEMENT)
    made = create_set(contracts, "Made", alice)
    for _ in range(2):
        set_order(made, {"single": 20}, by_model=False)
        make(made.pk)
        made.refresh_from_db()
    asked = list(made.questions.current().values_list("text", flat=True))
    assert len(asked) == len(set(asked)) > 2


def test_too_many_or_none_are_refused_with_words(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Agreement", AGREEMENT)
    made = create_set(contracts, "Made", alice)
    for counts, words in (({}, "how many"), ({"single": 100_000}, "At most"), ({"multi": -3}, "how many")):
        with pytest.raises(ValidationError, match=words):
            order_questions(made, counts, alice, by_model=False)


def test_a_model_is_asked_for_only_where_there_is_one(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.LLM_BASE_URL = ""
    make_document(contracts, "Agreement", AGREEMENT)
    made = create_set(contracts, "Made", alice)
    set_order(made, {"single": 1}, by_model=True)
    make(made.pk)
    made.refresh_from_db()
    assert made.status == SetStatus.FAILED
    assert "No language model" in made.error_message


def writes(request: dict[str, Any]) -> ScriptedReply:
    """A question about the first words of the passage that is told."""
    told = json.loads(request["messages"][1]["content"])["passages"]["1"]
    words = " ".join(told.split()[:8])
    return text_reply(
        json.dumps(
            {
                "question": f"What is said where “{hash(told)}” stands?",
                "answer": words,
                "quotes": [{"passage": 1, "words": words}],
            }
        )
    )


def test_a_model_writes_within_its_budget_as_part_of_ones_questions(
    contracts: Datasource, alice: User, bob: User, settings: Any, monkeypatch: Any
) -> None:
    make_document(contracts, "Agreement", AGREEMENT)
    made = create_set(contracts, "Made", alice)
    settings.QUESTIONS_PER_HOUR = 3
    with ScriptedOpenAI(writes) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        with pytest.raises(QuotaUsedUp):
            order_questions(made, {"single": 4}, bob, by_model=True)
        order_questions(made, {"single": 3}, bob, by_model=True, token_budget=3000)
        assert Usage.objects.get(person=bob).amount == 3
        # The worker is killed before anything is written down, and the job begins anew.
        monkeypatch.setattr(making, "choose", _is_cut_off)
        with pytest.raises(Stopped):
            make(made.pk)
        monkeypatch.setattr(making, "choose", choose)
        paid = len(server.requests)
        make(made.pk)
        bodies = [json.dumps(request, sort_keys=True) for request in server.requests]
    made.refresh_from_db()
    assert paid
    assert len(set(bodies)) == len(bodies), "no question was paid for twice"
    assert made.status == SetStatus.READY
    assert 0 < made.spent_tokens <= 3000
    assert Spending.objects.get().person == bob.pk
    assert not PaidWriting.objects.exists()


def _is_cut_off(drafts: Any, *_: Any) -> None:
    list(drafts)
    raise Stopped


def test_ones_own_rated_answers_become_proposals(contracts: Datasource, alice: User, bob: User) -> None:
    made = question_set(contracts, alice)
    document = contracts.documents.get(title="Questionnaire")
    for person, text in ((alice, "Who guards the backups?"), (bob, "What does Bob wonder?")):
        Feedback.objects.create(
            turn=make_turn(person, document, text),
            helpful=False,
            reason="incomplete",
            note="The guard is Ann.",
        )
    Feedback.objects.create(turn=make_turn(alice, document, "Where are backups?"), helpful=True)
    assert propose_rated(made, alice) == 2
    assert propose_rated(made, alice) == 0, "each once"
    proposal = made.questions.get(proposed=True, text="Who guards the backups?")
    assert (proposal.template, proposal.reference) == ("Something is missing", "The guard is Ann.")
    assert proposal not in made.questions.current().accepted()
    change_question(proposal, kind=Kind.SINGLE, text=proposal.text, reference="Nobody.")
    assert made.questions.current().accepted().filter(text=proposal.text).exists()


def test_a_helpful_answer_is_proposed_as_the_expected_one_with_its_quotes(
    contracts: Datasource, alice: User
) -> None:
    made = question_set(contracts, alice)
    document = contracts.documents.get(title="Questionnaire")
    turn = make_turn(alice, document, "Where are backups?")
    Feedback.objects.create(turn=turn, helpful=True)
    propose_rated(made, alice)
    proposal = made.questions.get(proposed=True)
    cited = turn.citations.exclude(quote="").first()
    assert cited
    gold = proposal.gold.first()
    assert gold
    assert (gold.document_id, gold.quote, gold.is_stale) == (document.pk, cited.quote, False)
    assert proposal.reference
    assert "⟦" not in proposal.reference


def test_what_people_in_a_text_ask_each_other_is_no_question_to_it(
    contracts: Datasource, alice: User
) -> None:
    make_document(
        contracts,
        "Notes",
        "Where are backups kept? Backups are kept in a second region.\n\n"
        "What reason have you to be merry? You're poor enough.' Scrooge said nothing.\n\n"
        "Who's the wiser? We're not going to pick holes in each other's coats, I suppose?",
    )
    drafts = single_source(Corpus.of(contracts))
    assert [draft.text for draft in drafts if draft.template == "own"] == ["Where are backups kept?"]


def test_every_passage_that_has_the_fact_is_gold_and_no_other(contracts: Datasource) -> None:
    """Label, figure and period make a fact: a later report repeats it, that of another quarter does not."""
    for title, heads, figures in (
        ("Spring", "April 1, 2023", "51,102"),
        ("Summer", "July 1, 2023", "53,977"),
        ("Summer again", "July 1, 2023", "53,977"),
        ("Other figure", "April 1, 2021", "53,977"),
    ):
        text = (
            f"The club counts its total net sales by quarter.\n\nThree Months Ended\n{heads}\tMay 28, 2020\n"
            f"Total net sales\t{figures}\t40,117\n"
        )
        make_document(contracts, title, text)
    drafts = {draft.text: draft for draft in single_source(Corpus.of(contracts)) if draft.template == "row"}
    (summer,) = [draft for text, draft in drafts.items() if "July 1, 2023" in text]
    assert {proof.title for proof in summer.proofs} == {"Summer", "Summer again"}
    assert all("53,977" in proof.quote for proof in summer.proofs)
    (spring,) = [draft for text, draft in drafts.items() if "April 1, 2023" in text]
    assert {proof.title for proof in spring.proofs} == {"Spring"}


def test_no_source_questions_ask_of_names_what_fits_them(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Notes", "Scrooge paid Acme Ltd its fee. Every LIMITED WARRANTY ends in May.")
    for name, kind, count in (
        ("Scrooge", "PERSON", 9),
        ("Acme Ltd", "ORGANIZATION", 5),
        ("LIMITED WARRANTY", "PRODUCT", 3),
        ("Marley", "PERSON", 1),
        ("Chief Clerk Officer", "PERSON", 8),
        ("Answers of Acme Ltd", "ORGANIZATION", 4),
    ):
        Entity.objects.create(
            datasource=contracts, name=name, key=name.lower(), types=[kind], mention_count=count
        )
    texts = [draft.text for draft in no_source(contracts, Corpus.of(contracts), [])]
    assert "What is Scrooge’s date of birth?" in texts
    assert "What is Acme Ltd’s credit rating?" in texts
    assert not [text for text in texts if "Scrooge’s credit" in text or "LIMITED" in text or "Marley" in text]
    assert not [text for text in texts if "Officer" in text or "Answers of" in text]
