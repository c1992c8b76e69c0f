"""The first page after the first sign-in: when its question is asked, who sees it, and what ends it."""

import re

import pytest
from django.urls import reverse

from accounts.models import User
from chat.models import Conversation, Turn, TurnStatus
from chat.services import delete_conversation
from datasources.models import Datasource, DocumentStatus
from datasources.services import create_datasource
from svq_site.dashboard import welcome
from svq_site.models import Welcome
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

HEADING = "Ask, and see where it is written"
QUESTIONS = ["How long are backups kept?", "Who pays?", "When does it end?", "Where is it?", "Why?"]


def home_of(person: User) -> str:
    return text_of(browser_of(person).get(reverse("home")))


@pytest.fixture
def sample(alice: User) -> Datasource:
    datasource = create_datasource(alice, "Sample")
    datasource.suggested_questions = QUESTIONS
    datasource.save()
    make_document(datasource)
    welcome.begin(alice, datasource)
    return datasource


@pytest.fixture
def answered(sample: Datasource, alice: User) -> Turn:
    turn = make_turn(alice, sample.documents.get())
    Welcome.objects.update(turn=turn)
    return turn


def test_the_question_waits_until_everything_is_read_and_is_asked_once(sample: Datasource) -> None:
    sample.documents.update(status=DocumentStatus.EMBEDDING)
    assert welcome.ask_first_questions() == 1
    assert not Turn.objects.exists()
    sample.documents.update(status=DocumentStatus.READY)
    assert welcome.ask_first_questions() == 0
    assert welcome.ask_first_questions() == 0
    assert [turn.question for turn in Turn.objects.all()] == QUESTIONS[:1]


def test_nothing_is_asked_for_who_has_put_the_page_away(sample: Datasource, alice: User) -> None:
    welcome.close(alice)
    assert welcome.ask_first_questions() == 0
    assert not Turn.objects.exists()


def test_until_then_it_says_how_far_the_reading_is(sample: Datasource, alice: User) -> None:
    sample.documents.update(status=DocumentStatus.EMBEDDING)
    assert "The sample is being read: 0 of 1 document done." in home_of(alice)
    sample.documents.update(status=DocumentStatus.READY)
    welcome.ask_first_questions()
    assert "The first question is being answered." in home_of(alice)


def test_the_answer_stands_beside_its_page_with_three_more_questions(answered: Turn, alice: User) -> None:
    page = browser_of(alice).get(reverse("home")).content.decode()
    assert HEADING in page
    assert "One question is asked below, of 1 invented document." in text_of(page)
    assert "/pages/1.webp" in page
    assert page.count('<rect class="now"') == 1
    offered = [question for question in QUESTIONS if f'value="{question}"' in page]
    assert offered == QUESTIONS[1:4]


def test_only_its_person_sees_it(answered: Turn, alice: User, bob: User) -> None:
    sample = answered.conversation.datasource
    sample.memberships.create(user=bob)
    assert HEADING in home_of(alice)
    assert HEADING not in home_of(bob)
    assert "Sample" in home_of(bob)


def test_the_answer_is_opened_with_its_page_and_is_not_called_the_persons_own(
    answered: Turn, alice: User
) -> None:
    browser = browser_of(alice)
    page = browser.get(reverse("home")).content.decode()
    link = re.search(r'href="([^"]+)">Open in Ask', page)
    assert link
    opened = browser.get(link[1].replace("&amp;", "&"))
    assert opened.context["source"].citation.n == 1
    assert "A question was asked for you" in text_of(browser.get(reverse("home")))
    make_turn(alice, answered.conversation.datasource.documents.get())
    assert "You asked a question" in home_of(alice)


def test_who_was_invited_and_sees_nothing_takes_a_sample_of_their_own_once(bob: User) -> None:
    browser = browser_of(bob)
    assert "Your shelf is empty" in text_of(browser.get(reverse("home")))
    for _ in range(2):
        page = text_of(browser.post(reverse("take_sample"), follow=True))
    assert HEADING in page
    assert "The sample is being read" in page
    sample = Datasource.objects.get(owner=bob)
    sample.documents.update(status=DocumentStatus.READY)
    for _ in range(2):
        assert "The first question is being answered." in home_of(bob)
    assert Turn.objects.get().question == sample.suggested_questions[0]


def test_the_sample_is_named_in_the_language_of_who_takes_it(bob: User) -> None:
    bob.language = "de"
    bob.save()
    page = text_of(browser_of(bob).post(reverse("take_sample"), follow=True))
    assert "Beispiel: Tarnbeck und Hallowmere" in page
    assert "Fünf erfundene Dokumente" in page


def test_it_can_be_put_away_and_brought_back(answered: Turn, alice: User) -> None:
    browser = browser_of(alice)
    assert HEADING not in text_of(browser.post(reverse("close_first_page"), follow=True))
    assert HEADING not in home_of(alice)
    make_document(create_datasource(alice, "Mine"), uploaded_by=alice)
    assert HEADING in text_of(browser.post(reverse("open_first_page"), follow=True))


def test_a_file_of_ones_own_ends_it(answered: Turn, alice: User, bob: User) -> None:
    mine = create_datasource(alice, "Mine")
    make_document(mine, "By somebody else", uploaded_by=bob)
    assert HEADING in home_of(alice)
    make_document(mine, "By her", uploaded_by=alice)
    assert HEADING not in home_of(alice)


def test_an_answer_that_failed_leaves_the_place_for_files(answered: Turn, alice: User) -> None:
    Turn.objects.update(status=TurnStatus.FAILED, answer="")
    page = home_of(alice)
    assert "Now with your own documents" in page
    assert "answered below" not in page
    assert "being answered" not in page


def test_it_goes_with_its_conversation(answered: Turn, alice: User) -> None:
    delete_conversation(Conversation.objects.get())
    assert HEADING not in home_of(alice)
    response = browser_of(alice).post(reverse("open_first_page"), follow=True)
    assert "There is nothing to show: the sample or its question was deleted." in text_of(response)


def test_who_looks_for_a_datasource_gets_what_was_looked_for(answered: Turn, alice: User) -> None:
    assert HEADING not in text_of(browser_of(alice).get(reverse("home"), {"find": "Sample"}))
