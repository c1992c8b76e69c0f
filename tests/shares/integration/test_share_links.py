"""Share links: what a recipient sees, what nobody sees through one, and when it ends."""

import io
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from PIL import Image, ImageChops

from accounts import attempts
from accounts.addresses import confirm
from accounts.models import AuditAct, AuditEntry, PeopleGroup, User
from chat import services as chat_services
from chat.models import Citation, Turn
from citations.choices import OnPage
from citations.marks import mark
from datasources import derived
from datasources.derived import Subject
from datasources.models import Datasource, Document, DocumentStatus, Matter, Membership, Role
from datasources.services import share, share_with_group, unshare
from exchange.shares import services, shown
from exchange.shares.models import ShareLink
from exchange.shares.services import end_link, link_of, make_link, resting
from exchange.shares.web import public_views
from jobs.fair_slots import FairSlots
from svq_site.host.log_lines import LineFormatter
from tests.factories import TEXT, make_document, make_turn
from tests.people import browser_of, person
from tests.responses import content_of, text_of

pytestmark = pytest.mark.django_db

MAIL = "jane.doe@arden.example"


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


@pytest.fixture
def turn(alice: User, document: Document) -> Turn:
    turn = make_turn(
        alice, document, answer=f"Backups are kept for thirty days. {mark(1)}", model="qwen3:14b"
    )
    turn.citations.update(claim="Backups are kept for thirty days.")
    return turn


def shared(turn: Turn, whole: bool = False, **values: Any) -> tuple[ShareLink, str]:
    given: dict[str, Any] = {"recipient": "Dora Arden", "days": 7} | values
    return make_link(turn.conversation.user, turn.conversation if whole else turn, **given)


def page_of(token: str, client: Client | None = None) -> Any:
    return (client or Client()).get(reverse("shared", args=[token]))


def picture_of(token: str, *place: int, name: str = "shared_crop", client: Client | None = None) -> Any:
    return (client or Client()).get(reverse(name, args=[token, *(place or (1, 1, 1))]))


# --- what a recipient sees ---------------------------------------------------------------------------------
def test_a_recipient_without_an_account_sees_the_answer_and_its_proof(turn: Turn, document: Document) -> None:
    link, token = shared(turn)
    page = page_of(token)
    said = text_of(page)
    for words in (
        "Shared with Dora Arden",
        turn.question,
        "Backups are kept for thirty days.",
        TEXT,
        document.title,
        "The words: SVQ’s code found them in the document, letter for letter.",
        "Supports, checked by code",
        "The document had not changed when this page was opened.",
        "“Supports” says that the quote supports the claim.",
    ):
        assert words in said, words
    assert page.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["Cache-Control"] == "private, no-store"
    assert "script-src" not in page.headers["Content-Security-Policy"]
    html = page.content.decode()
    assert "<script" not in html
    ours = {part.split('"')[0] for part in html.split('href="')[1:]} | {
        part.split('"')[0] for part in html.split('src="')[1:]
    }
    shown_at = reverse("shared", args=[token])
    assert all(each.startswith((shown_at, "/static/", "#")) for each in ours), ours
    link.refresh_from_db()
    assert (link.views, link.last_viewed is not None) == (1, True)
    assert token not in str(ShareLink.objects.values())  # only a hash of it is kept


def test_nothing_of_other_documents_or_of_the_house_is_on_the_page(turn: Turn) -> None:
    told = {
        "read_whole": "Read from beginning to end: Settlement offer (3 pages).",
        "not_read_whole": "Not read (…): Settlement offer, pages 2 to 3.",
        "money_spent": "Searching ended after a cost of 0.1200.",
        "sample": "This is a sample.",
    }
    turn.notices = [{"code": code, "text": text, "documents": []} for code, text in told.items()]
    turn.save(update_fields=["notices"])
    _, token = shared(turn)
    said = text_of(page_of(token))
    assert "Settlement" not in said
    assert "0.1200" not in said
    assert "This is a sample." in said
    assert "Some pages that this answer needs could not be read." in said


def test_nothing_is_explained_that_cannot_be_there(turn: Turn) -> None:
    _, token = shared(turn)
    page = page_of(token).content.decode()
    whole = page[page.index("page.webp") :]
    assert 'target="_blank"' in whole[: whole.index(">")], "the picture takes nobody away from the answer"
    Turn.objects.update(quotes_only=True)
    assert "“Supports” says" not in text_of(page_of(token))


def test_a_link_without_a_password_takes_none(turn: Turn) -> None:
    _, token = shared(turn)
    answer = Client().post(reverse("shared", args=[token]), {"password": "x"})
    assert (answer.status_code, answer["Location"]) == (302, reverse("shared", args=[token]))


def test_pictures_are_watermarked_with_the_name_and_the_time(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = shared(turn)
    for name in ("shared_crop", "shared_page"):
        response = picture_of(token, name=name)
        assert (response.status_code, response.headers["Content-Type"]) == (200, "image/webp")
        assert response.headers["Cache-Control"] == "private, no-store"
        marked = Image.open(io.BytesIO(response.content)).convert("RGB")
        with monkeypatch.context() as patched:
            patched.setattr("exchange.shares.web.public_views.watermarked", lambda picture, words: picture)
            bare = Image.open(io.BytesIO(picture_of(token, name=name).content)).convert("RGB")
        difference = ImageChops.difference(marked, bare).convert("L").point(lambda value: 255 * (value > 20))
        box = difference.getbbox()
        assert box is not None, name
        assert (box[2] - box[0]) > marked.width * 0.8, name


def test_a_conversation_shows_what_was_asked_until_then(turn: Turn, document: Document, alice: User) -> None:
    conversation = turn.conversation
    _, token = shared(turn, whole=True)
    Turn.objects.create(
        conversation=conversation, number=2, question="Our weak point?", status="answered", answer="Price."
    )
    said = text_of(page_of(token))
    assert turn.question in said
    assert "Our weak point?" not in said
    _, later = shared(turn, whole=True)
    assert "Our weak point?" in text_of(page_of(later))
    _, single = shared(turn)
    assert "Our weak point?" not in text_of(page_of(single))


def test_passages_that_no_answer_cites_are_not_shown(turn: Turn) -> None:
    near = {"document": 1, "title": "Lease", "chunk": 7, "pages": [1], "text": "Tapes rot."}
    Turn.objects.update(status="not_found", nearest=[near])
    page = page_of(shared(turn)[1])
    assert "Not found in your documents" in text_of(page) or "No passage stood out" in text_of(page)
    assert "Tapes rot." not in page.content.decode()
    assert picture_of(shared(turn)[1]).status_code == 404


def test_what_is_masked_is_nowhere_behind_a_link(alice: User, contracts: Datasource) -> None:
    document = make_document(contracts, f"Mail to {MAIL}", f"Write to {MAIL}. The rent is due in May.")
    turn = make_turn(alice, document, f"What of {MAIL}?")
    _, token = shared(turn)
    assert picture_of(token).status_code == 200
    chat_services.change_answer_settings(contracts, personal_data="mask")
    page = page_of(token)
    assert MAIL not in page.content.decode()
    assert "What of ‹e-mail address masked›?" in text_of(page)
    assert "<img" not in page.content.decode()
    assert {picture_of(token, name=name).status_code for name in ("shared_crop", "shared_page")} == {404}


# --- attacks -----------------------------------------------------------------------------------------------
def test_a_token_can_not_be_guessed_and_says_nothing_when_wrong(turn: Turn) -> None:
    link, token = shared(turn)
    assert len(token) >= 43  # 256 bits
    expired, gone = shared(turn)[1], shared(turn)
    ShareLink.objects.filter(digest=services.digest(expired)).update(expires=timezone.now())
    end_link(gone[0], turn.conversation.user)
    wrong = [token[:-1], token + "A", token.swapcase(), link.digest, str(link.pk), "x", expired, gone[1]]
    pages = [page_of(each) for each in wrong]
    assert {page.status_code for page in pages} == {404}
    assert len({page.content for page in pages}) == 1
    assert {picture_of(each).status_code for each in wrong} == {404}
    assert {page.headers["X-Robots-Tag"] for page in pages} == {"noindex, nofollow, noarchive"}


def test_no_log_has_the_address_of_a_link(turn: Turn) -> None:
    _, token = shared(turn)
    path = reverse("shared_crop", args=[token, 1, 1, 9])
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "Not Found: %s", (path,), None)
    assert LineFormatter().format(record) == "Not Found: /s/…/1/1/9.webp"


def test_a_link_opens_nothing_but_the_pages_that_its_quotes_stand_on(
    turn: Turn, document: Document, alice: User
) -> None:
    other = make_turn(alice, document, "What else?")
    Citation.objects.create(
        turn=turn, n=2, claim="Nowhere.", written="Nowhere", on_page=OnPage.ABSENT, boxes={}, pages=[]
    )
    _, token = shared(turn)
    conversation = turn.conversation
    unseen = Turn.objects.create(conversation=conversation, number=2, question="Later?", status="answered")
    Citation.objects.create(
        turn=unseen,
        n=1,
        document=document,
        document_title=document.title,
        written=TEXT,
        quote=TEXT,
        start=0,
        end=5,
        pages=[1],
        boxes={"1": [[100, 100, 500, 120]]},
        on_page=OnPage.EXACT,
    )
    for name in ("shared_crop", "shared_page"):
        assert picture_of(token, 1, 1, 1, name=name).status_code == 200
        # A page that is not cited, a quote without a place, one that is not there, later and other answers:
        for place in ((1, 1, 2), (1, 2, 1), (1, 9, 1), (2, 1, 1), (9, 1, 1), (1, 1, 0)):
            assert picture_of(token, *place, name=name).status_code == 404, place
    client = Client()
    assert page_of(token, client).status_code == 200
    elsewhere = [
        reverse("conversation", args=[conversation.datasource_id, conversation.pk]),
        reverse("source", args=[turn.pk, 1]),
        reverse("page_image", args=[document.datasource_id, document.pk, 1]),
        reverse("answer_pack_file", args=[turn.pk]),
        reverse("api-turn-pack", args=[turn.pk]),
        reverse("source", args=[other.pk, 1]),
    ]
    assert {client.get(each).status_code for each in elsewhere} <= {302, 401}


def test_a_password_is_asked_also_for_pictures(turn: Turn) -> None:
    link, token = shared(turn, password="Seven-Herons")
    _, other = shared(turn, password="Seven-Herons")
    client, address = Client(enforce_csrf_checks=True), reverse("shared", args=[token])
    asked = page_of(token, client)
    assert "This link has a password" in text_of(asked)
    asked_with = content_of(asked).decode()
    assert turn.question not in asked_with
    assert "Dora" not in asked_with
    assert {picture_of(token, name=name).status_code for name in ("shared_crop", "shared_page")} == {404}
    wrong = client.post(address, {"password": "seven-herons"}, headers={"origin": "null"})
    assert (wrong.status_code, "This is not the password." in text_of(wrong)) == (422, True)
    right = client.post(address, {"password": "Seven-Herons"}, headers={"origin": "null"})
    assert (right.status_code, right.headers["Location"]) == (302, address)
    cookie = right.cookies["share"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (address, True, "Lax")
    assert turn.question in text_of(page_of(token, client))
    assert picture_of(token, client=client).status_code == 200
    stolen = Client()  # what one link gave opens no other
    stolen.cookies["share"] = cookie.value
    assert "This link has a password" in text_of(page_of(other, stolen))
    link.refresh_from_db()
    assert (link.views, "Seven" in link.password) == (1, False)


def test_those_who_look_wait_for_each_other(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    link, token = shared(turn)
    one_at_a_time = FairSlots(1, patience=0)
    monkeypatch.setattr(public_views, "AT_ONCE", one_at_a_time)
    with one_at_a_time.taken_by(0):
        told = [page_of(token), picture_of(token)]
    assert [(each.status_code, each.headers["Retry-After"]) for each in told] == [(503, "2")] * 2
    assert ShareLink.objects.get(pk=link.pk).views == 0
    assert page_of(token).status_code == 200


def test_guessing_a_password_is_slowed_down_and_locks_nobody_else_out(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(attempts.time, "sleep", lambda seconds: None)
    _, token = shared(turn, password="Seven-Herons")
    _, other = shared(turn, password="Seven-Herons")
    address = reverse("shared", args=[token])

    def guess(password: str, network: str = "192.0.2.7", at: str = address) -> Any:
        return Client().post(at, {"password": password}, REMOTE_ADDR=network)

    told = [guess(f"guess {n}").status_code for n in range(8)]
    assert (told[:5], set(told[5:])) == ([422] * 5, {429})
    refused = guess("Seven-Herons")  # also the right one has to wait
    assert (refused.status_code, int(refused.headers["Retry-After"]) > 0) == (429, True)
    assert "Too many attempts." in text_of(refused)
    assert guess("Seven-Herons", at=reverse("shared", args=[other])).status_code == 302
    assert guess("Seven-Herons", network="198.51.100.9").status_code == 302


# --- its end -----------------------------------------------------------------------------------------------
def test_a_link_ends_with_the_right_of_its_maker(turn: Turn, contracts: Datasource, bob: User) -> None:
    document = contracts.documents.get()
    member = Membership.objects.get(datasource=contracts, user=bob)
    member.role = Role.EDITOR
    member.save()
    theirs = make_turn(bob, document, "What does Bob ask?")
    _, token = shared(theirs)
    assert page_of(token).status_code == 200
    member.delete()
    assert (page_of(token).status_code, picture_of(token).status_code) == (404, 404)
    Membership.objects.create(datasource=contracts, user=bob, role=Role.EDITOR)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert page_of(token).status_code == 404
    User.objects.filter(pk=bob.pk).update(is_active=True)
    assert page_of(token).status_code == 200
    chat_services.delete_conversation(theirs.conversation)
    assert page_of(token).status_code == 404
    assert not ShareLink.objects.exists()


def test_a_link_that_rests_is_listed_and_ended_by_its_maker_or_an_owner(
    turn: Turn, contracts: Datasource, alice: User, bob: User
) -> None:
    share(contracts, bob, Role.EDITOR)
    document = contracts.documents.get()
    theirs = [make_turn(bob, document, question) for question in ("What does Bob ask?", "And then?")]
    made = [shared(each, recipient="Dora Arden") for each in theirs]
    unshare(contracts, bob)
    maker, owner = browser_of(bob), browser_of(alice)
    rows = maker.get(reverse("api-share-links")).json()["results"]
    assert [(row["rests"], row["recipient"]) for row in rows] == [(True, "Dora Arden")] * 2
    page = text_of(maker.get(reverse("share_links")))
    assert page.count("Shows nothing now") == 2
    assert "What does Bob ask?" not in page
    assert contracts.name not in page
    (first, _), (second, _) = made
    assert maker.post(reverse("end_share_link", args=[first.pk])).status_code == 302
    settings_page = reverse("settings_section", args=[contracts.pk, "people"])
    shown = text_of(owner.get(settings_page))
    assert shown.count("Shows nothing now") == 1
    assert "Dora Arden" not in shown
    rows = owner.get(reverse("api-share-links"), {"datasource": contracts.pk}).json()["results"]
    assert {(row["id"], row["recipient"]) for row in rows} == {(first.pk, ""), (second.pk, "")}
    end = owner.post(reverse("end_share_link", args=[second.pk]), {"remove": "yes"})
    assert end["Location"].startswith(settings_page)
    share(contracts, bob, Role.EDITOR)
    assert [page_of(token).status_code for _, token in made] == [404, 404]
    assert ShareLink.objects.count() == 2, "its maker still sees how often each was viewed"
    assert maker.get(reverse("api-share-links"), {"datasource": contracts.pk}).status_code == 403


def test_links_of_many_makers_take_no_more_queries_than_those_of_a_few(
    turn: Turn, contracts: Datasource, alice: User
) -> None:
    """Each has the right to share in another way; whoever has lost it is told apart from the others."""
    document, owner = contracts.documents.get(), browser_of(alice)
    matter = Matter.objects.create(name="Arden v. Halden")
    matter.datasources.add(contracts)
    groups = [PeopleGroup.objects.create(name=name) for name in ("By share", "By matter")]
    share_with_group(contracts, groups[0], Role.EDITOR)
    matter.shares.create(group=groups[1], role=Role.EDITOR)

    def by_invitation(maker: User) -> None:
        contracts.invitations.create(email=maker.email, role=Role.EDITOR)

    ways = [
        lambda maker: share(contracts, maker, Role.EDITOR),
        lambda maker: groups[0].members.create(person=maker),
        lambda maker: groups[1].members.create(person=maker),
        lambda maker: matter.shares.create(person=maker, role=Role.EDITOR),
        lambda maker: matter.shares.create(email=maker.email, role=Role.EDITOR),
        by_invitation,
    ]
    counts = []
    for number in range(2 * len(ways)):
        maker = person(f"maker{number}")
        confirm(maker)
        ways[number % len(ways)](maker)
        made, _ = shared(make_turn(maker, document, f"What does {number} ask?"))
        assert not resting([made])
        if number in (len(ways) - 1, 2 * len(ways) - 1):
            with CaptureQueriesContext(connection) as asked:
                page = owner.get(reverse("settings_section", args=[contracts.pk, "people"]))
            assert "Shows nothing now" not in text_of(page)
            counts.append(len(asked))
    assert counts[0] == counts[1]
    for group in groups:
        group.members.all().delete()
    matter.shares.exclude(group=groups[1]).delete()
    contracts.memberships.all().delete()
    contracts.invitations.all().delete()
    assert resting(ShareLink.objects.all()) == set(ShareLink.objects.values_list("pk", flat=True))


def test_a_deleted_document_is_on_no_page_at_once_and_receipts_count_its_quotes(
    turn: Turn, document: Document, contracts: Datasource
) -> None:
    _, token = shared(turn)
    shared(turn, whole=True)
    expired, _ = shared(turn)
    ShareLink.objects.filter(pk=expired.pk).update(expires=timezone.now())
    assert picture_of(token).status_code == 200
    subject = Subject(datasource_id=contracts.pk, documents=[document.pk], contents=[document.sha256])
    assert derived.count(subject)["pictures_of_quotes_in_share_links"] == 1
    turn.citations.update(before="As the board has decided,", after="Nothing else is said.")
    assert "As the board has decided," in text_of(page_of(token))
    Document.objects.update(status=DocumentStatus.DELETED)
    assert {picture_of(token, name=name).status_code for name in ("shared_crop", "shared_page")} == {404}
    page = page_of(token)
    assert "<img" not in page.content.decode()
    said = text_of(page)
    assert "The document has been deleted since." in said
    assert TEXT in said
    assert "As the board has decided," not in said
    assert "Nothing else is said." not in said
    whole = Subject(datasource_id=contracts.pk, documents=[], contents=[], whole=True)
    assert derived.count(whole)["share_links"] == 2


# --- whoever shares ----------------------------------------------------------------------------------------
def test_the_maker_makes_lists_and_ends_links(turn: Turn, alice: User, bob: User) -> None:
    client, conversation = browser_of(alice), turn.conversation
    page = client.get(reverse("conversation", args=[conversation.datasource_id, conversation.pk]))
    address = reverse("share_answer", args=[turn.pk])
    assert f'href="{address}"' in page.content.decode()
    made = client.post(address, {"recipient": "Dora  Arden", "days": "30"}, follow=True)
    said = text_of(made)
    assert "Copy the link for Dora Arden now: it is shown once." in said
    shown_at = made.context["address"]
    assert page_of(shown_at.split("/s/")[1].strip("/")).status_code == 200
    listed = text_of(client.get(reverse("share_links")))
    assert shown_at not in listed
    assert "Dora Arden" in listed
    assert "1 time" in listed
    link = ShareLink.objects.get()
    assert abs(link.expires - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)
    in_dialog = client.post(address, {"recipient": "Ben", "days": "1"}, headers={"hx-request": "true"})
    assert "Copy the link" in text_of(in_dialog)
    assert "Dora Arden" in text_of(client.get(address, headers={"hx-request": "true"}))
    refused = client.post(address, {"recipient": "", "days": "9", "password": "short"})
    assert refused.status_code == 422
    assert "Say for whom the link is." in text_of(refused)
    assert "The password needs at least 8 characters." in text_of(refused)
    end = reverse("end_share_link", args=[link.pk])
    assert browser_of(bob).post(end).status_code == 404
    assert client.post(end).status_code == 302
    assert page_of(shown_at.split("/s/")[1].strip("/")).status_code == 404
    over = text_of(client.get(reverse("share_links")))
    assert "1 time" in over
    assert f"Ended {timezone.localdate():%-d %b %Y}" in over
    assert "Dora Arden" not in text_of(client.get(address, headers={"hx-request": "true"}))
    assert client.post(end).status_code == 302
    assert ShareLink.objects.filter(pk=link.pk).exists(), "ended twice is ended once"
    assert client.post(end, {"remove": "yes"}).status_code == 302
    assert not ShareLink.objects.filter(pk=link.pk).exists()
    own = AuditEntry.objects.filter(number=str(link.pk), act__in=[AuditAct.SHARED, AuditAct.UNSHARED])
    acts = own.values_list("act", "email", "address")
    assert [each[:2] for each in acts] == [(AuditAct.UNSHARED, alice.email), (AuditAct.SHARED, alice.email)]
    assert turn.question not in str(list(acts))


def test_limits_are_told_with_words(turn: Turn, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for values, said in (
        ({"recipient": "x" * 81}, "the limit is 80"),
        ({"days": 0}, "from 1 to 366 days"),
        ({"days": 367}, "from 1 to 366 days"),
        ({"password": "short"}, "needs 8 to 128 characters"),
        ({"password": " " * 8}, "only spaces"),
        ({"password": "12345678"}, "too common"),
    ):
        with pytest.raises(ValidationError, match=said):
            shared(turn, **values)
    monkeypatch.setattr(services, "MAX_LINKS", 1)
    shared(turn)
    with pytest.raises(ValidationError, match="End one first"):
        shared(turn)
    monkeypatch.setattr(shown, "MOST_ANSWERS", 0)
    with pytest.raises(ValidationError, match="answers at most"):
        shared(turn)
    Turn.objects.update(status="running")
    with pytest.raises(ValidationError, match="no finished answer"):
        shared(turn)


def test_rest_makes_lists_and_ends_links(turn: Turn, alice: User, bob: User, document: Document) -> None:
    client = browser_of(alice)
    for address in (
        reverse("api-turn-share-links", args=[turn.pk]),
        reverse("api-conversation-share-links", args=[turn.conversation_id]),
    ):
        assert browser_of(bob).post(address, {"recipient": "Eve"}).status_code == 404
        made = client.post(address, {"recipient": "Dora", "password": "Seven-Herons"}).json()
        assert (made["recipient"], made["has_password"], made["views"]) == ("Dora", True, 0)
        token = made["address"].split("/s/")[1].strip("/")
        link = link_of(token)
        assert link is not None
        assert (link.pk, str(link.conversation_id)) == (made["id"], made["conversation"])
        assert client.post(address, {"recipient": "Dora", "days": 500}).json()["code"] == "days"
    (second, first) = client.get(reverse("api-share-links")).json()["results"]
    assert "address" not in first
    assert (first["turn"], second["turn"]) == (str(turn.pk), None)
    one = reverse("api-share-link", args=[first["id"]])
    assert (browser_of(bob).delete(one).status_code, client.delete(one).status_code) == (404, 204)
    assert client.get(one).json()["ended"]
    assert client.delete(one).status_code == 204
    assert client.get(one).status_code == 200
    assert client.delete(f"{one}?remove=true").status_code == 204
    assert client.get(one).status_code == 404


def test_of_links_that_were_ended_the_newest_stay(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_LINKS", 2)
    made = []
    for _ in range(3):
        made.append(shared(turn)[0])
        end_link(made[-1], turn.conversation.user)
    assert set(ShareLink.objects.values_list("pk", flat=True)) == {link.pk for link in made[1:]}


def test_administrators_see_and_end_links_without_what_they_show(turn: Turn) -> None:
    root = User.objects.create_superuser("root@example.org", "Enough-Words-7")
    link, token = shared(turn)
    client = browser_of(root)
    listed = text_of(client.get(reverse("admin:shares_sharelink_changelist")))
    assert turn.conversation.user.email in listed
    assert turn.question not in listed
    assert "Dora" not in listed
    client.post(reverse("admin:shares_sharelink_delete", args=[link.pk]), {"post": "yes"})
    assert page_of(token).status_code == 404
    entry = AuditEntry.objects.get(act=AuditAct.UNSHARED)
    assert entry.email == root.email


# --- who may share -----------------------------------------------------------------------------------------
def test_a_viewer_shares_only_where_the_owner_lets_them(
    contracts: Datasource, bob: User, alice: User
) -> None:
    bobs = make_turn(bob, make_document(contracts))
    client, dialog = browser_of(bob), reverse("share_answer", args=[bobs.pk])
    assert "Only Alice, who owns this datasource, and its editors may share" in text_of(client.get(dialog))
    form = {"recipient": "Dora", "days": "7"}
    assert client.post(dialog, form).status_code == 422
    refused = client.post(f"/api/v1/turns/{bobs.pk}/share-links", form, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "sharing_forbidden")
    rule = reverse("share_rule", args=[contracts.pk])
    assert client.post(rule, {"field": "sharers", "sharers": "viewer"}).status_code == 403
    owner = browser_of(alice)
    assert owner.post(rule, {"field": "sharers", "sharers": "viewer"}).status_code == 302
    _, token = shared(bobs)
    assert page_of(token).status_code == 200
    owner.post(rule, {"field": "sharers", "sharers": "nobody"})
    assert "Shows nothing now" in text_of(client.get(reverse("share_links")))
    assert page_of(token).status_code == 404
    own = make_turn(alice, make_document(contracts, "Another"))
    with pytest.raises(ValidationError, match="Nobody may share its answers by a link"):
        shared(own)


def test_only_the_branch_on_the_screen_is_shared(turn: Turn, document: Document, alice: User) -> None:
    again = make_turn(alice, document, "How long are backups kept, in days?")
    again.conversation, again.number, again.after = turn.conversation, 2, 0
    again.save()
    link, token = shared(turn, whole=True)
    assert "How long are backups kept, in days?" in text_of(page_of(token))
    assert [answer.number for answer in shown.answers_of(link)] == [2]


def test_links_that_go_with_their_conversation_are_in_the_audit_log(turn: Turn, alice: User) -> None:
    shared(turn)
    chat_services.delete_conversation(turn.conversation)
    ended = AuditEntry.objects.get(act=AuditAct.UNSHARED)
    assert (ended.person, "Dora Arden" in ended.address) == (alice, False)


@pytest.mark.parametrize(
    ("recipient", "marked"),
    [
        ("Żaneta Ørsted", True),
        ("Γιώργος", True),
        ("李明 Ltd", True),
        ("ليلى", False),
        ("רחל", False),
        ("🙂", False),
    ],
)
def test_names_that_no_font_has_are_replaced_by_the_number_of_the_link(
    turn: Turn, recipient: str, marked: bool
) -> None:
    link, _ = shared(turn, recipient=recipient)
    words = public_views._words(link)
    assert words.startswith(recipient if marked else f"Share link {link.pk},")
