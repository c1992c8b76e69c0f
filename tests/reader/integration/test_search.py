"""The search page: passages grouped by document, marked, explained, filtered and counted."""

import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from formats.base.annotations import AnnotationKind
from ingestion.indexes import embedding, search_index, vector_spaces
from ingestion.models import Annotation, Chunk, ChunkTerms, Page
from jobs.fair_slots import FairSlots
from providers.embedders import embedder
from providers.protocols import ProviderError
from reader.search import choices
from reader.web import search_views
from tests.factories import add_pages, make_document
from tests.people import browser_of

CHARGE = "The Customer shall pay the Early Termination Charge set out in the applicable Order Form."


def add(datasource: Datasource, title: str, *texts: str, **more: Any) -> Document:
    """A ready document with a page and a chunk for each text, searched by meaning and by words."""
    document = make_document(datasource, title, texts[0], page_count=len(texts), **more)
    add_pages(document, texts[1:])
    chunks = list(document.chunks.order_by("index"))
    ChunkTerms.objects.filter(document=document).delete()
    search_index.index_all(chunks)
    space = vector_spaces.claim(datasource, embedder())
    embedding.copy_vectors(space, [chunk.pk for chunk in chunks], embedder().embed(list(texts)))
    return document


def search(user: User, datasource: Datasource | None = None, /, **query: Any) -> str:
    address = reverse("search", args=[datasource.pk]) if datasource else reverse("search_all")
    answer = browser_of(user).get(address, query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def results(html: str) -> list[str]:
    """The text of each passage listed, marks in brackets."""
    marked = re.findall(r"data-hit>(.*?)</a>", html, re.DOTALL)
    return [re.sub(r"<mark>(.*?)</mark>", r"[\1]", text) for text in marked]


def count(html: str) -> str:
    status = re.findall(r'role="status">(.*?)</p>', html, re.DOTALL)
    return " ".join(re.sub("<.*?>", "", status[0]).split()) if status else ""


def told(html: str) -> str:
    return " ".join(re.sub("<.*?>", "", html).split())


@pytest.fixture
def papers(contracts: Datasource) -> Datasource:
    add(contracts, "Amendment", "Notices are in writing.", CHARGE, "Termination is final.")
    add(contracts, "Order form", "The early termination charge equals 25 % of the fees.")
    add(contracts, "Lunch", "Soup is served at noon.")
    return contracts


def test_passages_are_grouped_by_document_and_their_words_marked(papers: Datasource, bob: User) -> None:
    html = search(bob, papers, q="early termination charge")
    found = results(html)
    assert (
        "The Customer shall pay the [Early Termination Charge] set out in the applicable Order Form." in found
    )
    assert "The [early termination charge] equals 25 % of the fees." in found
    assert not any("Soup" in text for text in found)
    titles = re.findall(r'<section class="sg" aria-label="(.*?)"', html)
    assert sorted(titles) == ["Amendment", "Order form"]
    assert count(html) == f"{len(found)} passages in 2 documents (2 with these words)"


def test_a_table_is_shown_in_rows_and_cells(contracts: Datasource, bob: User) -> None:
    add(contracts, "Amendment", "Table B. Charges\nNotice expires\tCharge\n1 June 2026\t£118,000")
    html = search(bob, contracts, q="charge")
    assert '<span class="sr-row"><span>1 June 2026</span> <span>£118,000</span> </span>' in html


def test_a_result_leads_to_its_page_with_the_words_marked(papers: Datasource, bob: User) -> None:
    html = search(bob, papers, q="charge customer")
    address = next(a for a in re.findall(r'class="q sr-a" href="(.*?)"', html) if "page=2" in a)
    page = browser_of(bob).get(address).content.decode()
    assert "The <mark>Customer</mark> shall pay the Early Termination <mark>Charge</mark> set out" in page
    back = unescape(re.findall(r'href="([^"]*)">.*?Back to the search', page)[0].rpartition('href="')[2])
    assert urlsplit(back).path == reverse("search", args=[papers.pk])
    assert parse_qs(urlsplit(back).query) == {"q": ["charge customer"]}


def test_a_result_is_headed_by_the_clause_in_which_its_words_stand(papers: Datasource, bob: User) -> None:
    clauses = "3. Support\n\n3.1 Incidents are answered.\n\n6. Termination\n\n6.1 A material breach ends it."
    document = add(papers, "Agreement", clauses)
    document.chunks.update(section="3. Support")
    for number, name in enumerate(("3. Support", "6. Termination"), start=1):
        at = clauses.index(name)
        document.sections.create(number=number, level=1, name=name, path=name, start=at, end=at + 40, page=1)
    for exact in ("", "1"):
        asked = {"q": "material breach", "exact": exact} if exact else {"q": "material breach"}
        assert re.findall(r'sr-p"[^>]*>(.*?)</p>', search(bob, papers, **asked))[:1] == ["6. Termination"]


def test_other_forms_slips_and_beginnings_of_words_are_found(papers: Datasource, bob: User) -> None:
    assert any("[Termination]" in text for text in results(search(bob, papers, q="terminated")))
    misspelt = search(bob, papers, q="eraly termination charge")
    assert any("[Early Termination Charge]" in text for text in results(misspelt))
    assert "letters differ" in misspelt or "letter differs" in misspelt


def test_a_word_that_is_there_is_misspelt_nowhere(papers: Datasource, bob: User) -> None:
    add(papers, "Causes", "The cause of the fire is known.")
    add(papers, "Clauses", "Each clause is numbered.")
    html = search(bob, papers, q="cause fire")
    assert "The [cause] of the [fire] is known." in results(html)
    assert not any("[clause]" in text for text in results(html))


def test_a_word_that_is_there_at_all_is_misspelt_nowhere(papers: Datasource, bob: User) -> None:
    """Also where no result has it: its passage is in a document that was not chosen."""
    other = add(papers, "Rates", "The change in foreign currency at termination was large.")
    html = search(bob, papers, q="termination charge ", document=other.pk)
    assert results(html) == ["The change in foreign currency at [termination] was large."]


def test_a_word_of_one_datasource_is_misspelt_in_no_other(papers: Datasource, alice: User) -> None:
    add(papers, "Ranks", "The system misses the fourth.")
    news = create_datasource(alice, "News")
    add(news, "Report", "Iran limits the range of missiles.")
    assert any("[misses]" in text for text in results(search(alice, papers, q="missles")))
    assert results(search(alice, q="missiles")) == ["Iran limits the range of [missiles]."]


def test_a_name_that_is_nowhere_is_said_and_no_other_word_marked_for_it(
    papers: Datasource, bob: User
) -> None:
    add(papers, "Shares", "What is paid is $0.24 per share, and the capital is large.")
    html = search(bob, papers, q="What is the capital of Peru?")
    assert results(html)
    assert not any("[per]" in text for text in results(html))
    assert "No passage has “Peru”." in html
    assert "No passage has" not in search(bob, papers, q="early terminaton charge")


def test_a_name_that_one_datasource_has_is_not_said_to_be_nowhere(papers: Datasource, bob: User) -> None:
    add(create_datasource(bob, "Travel"), "Peru", "The capital of Peru is Lima.")
    assert "No passage has" not in search(bob, q="the capital of Peru?")
    assert "No passage has “Bolivia”." in search(bob, q="the capital of Bolivia?")


def test_words_of_another_language_than_the_documents_are_told(papers: Datasource, bob: User) -> None:
    told = "This looks German, and none of the documents is in German."
    assert told in search(bob, papers, q="Was ist die Frist?")
    assert "This looks" not in search(bob, papers, q="What is the notice period?")


def test_each_result_says_why_it_is_there(papers: Datasource, bob: User) -> None:
    html = search(bob, papers, q="early termination charge")
    assert "Why this result" in html
    why = [
        " ".join(re.sub("<.*?>", " ", each).split())
        for each in re.findall(r'<dl class="why">.*?</dl>', html, re.DOTALL)
    ]
    assert any(
        re.search(r"Meaning (the|2nd|3rd) nearest of 5, similarity 0\.\d\d of 1", each) for each in why
    )
    assert any("Spelling not needed, the spelling matches" in each for each in why)


def test_a_result_is_ranked_among_what_was_searched(papers: Datasource, bob: User) -> None:
    lunch = Document.objects.get(title="Lunch")
    assert "the nearest of 1, similarity" in search(bob, papers, q="when is soup served", document=lunch.pk)


def test_nothing_found_is_said_plainly(papers: Datasource, bob: User) -> None:
    html = search(bob, papers, q="zzyzx qwrtp")
    assert results(html) == []
    assert "Nothing found for “zzyzx qwrtp”" in html
    assert "No passage of the 3 documents" in html
    empty = create_datasource(papers.owner, "Empty")
    assert "No document can be searched yet" in search(papers.owner, empty, q="charge")
    assert "Nothing to search yet" in search(papers.owner, empty)


def test_the_very_words_are_counted_to_the_last_passage(papers: Datasource, bob: User) -> None:
    add(papers, "Minutes", *[f"Item {number}: an early\ntermination charge." for number in range(60)])
    add(papers, "Notes", "An early terminations charge. Nearly termination charge.")
    html = search(bob, papers, q="Early termination charge", exact=1)
    assert count(html) == "62 passages in 3 documents have these exact words. All were counted."
    assert len(results(html)) == 50
    assert "1 to 50 of 62" in html
    rest = search(bob, papers, q="Early termination charge", exact=1, page=2)
    assert len(results(rest)) == 12
    assert not set(results(html)) & set(results(rest))
    assert all("[" in text for text in results(html))
    html = search(bob, papers, q="no such words", exact=1)
    assert "has these exact words, one after the other" in html


@pytest.mark.parametrize(
    ("text", "words", "held"),
    [
        ("Costs of 50 % (fifty).", "50 % (fifty)", True),
        ("Invoice A-1.2/x_y is due.", "A-1.2/x_y", True),
        ("MÜLLER signs.", "müller", True),
        ("Dort wohnt Herr Müllerson.", "müller", False),
        ("契約終了の通知", "終了", True),
        ("a.b", "a+b", False),
        ("ab", "a.?b", False),
    ],
)
def test_the_very_words_may_be_any_signs(
    contracts: Datasource, bob: User, text: str, words: str, held: bool
) -> None:
    make_document(contracts, "One", text)
    html = search(bob, contracts, q=words, exact=1)
    assert (len(results(html)) == 1) is held
    if held:
        assert "[" in results(html)[0]


def test_a_passage_from_the_middle_of_a_sentence_says_so(papers: Datasource, bob: User) -> None:
    first, second = "All notices are sent to the", "Supplier at its registered office."
    document = make_document(papers, "Notices", f"{first} {second}")
    document.chunks.update(text=second, start=len(first) + 1)
    for exact in ("", "1"):
        found = results(search(bob, papers, q="registered office", exact=exact))
        assert "… Supplier at its [registered office]." in found


def test_tags_narrow_what_is_searched(papers: Datasource, bob: User) -> None:
    assert 'name="tag"' not in search(bob, papers, q="charge")
    for title, tags in (("Amendment", ["signed", "2024"]), ("Order form", ["draft"]), ("Lunch", "signed")):
        Document.objects.filter(title=title).update(metadata={"tags": tags})
    html = search(bob, papers, q="charge")
    assert re.findall(r'name="tag" value="(.*?)"', html) == ["signed", "2024", "draft"]
    only = search(bob, papers, q="early termination charge", tag="draft")
    assert results(only) == ["The [early termination charge] equals 25 % of the fees."]
    assert re.search(r'name="tag" value="draft" checked', only)
    both = search(bob, papers, q="early termination charge", tag=["draft", "signed"])
    assert {"Amendment", "Order form"} <= set(re.findall(r'class="sg" aria-label="(.*?)"', both))
    assert results(search(bob, papers, q="soup at noon", tag="signed"))
    assert not results(search(bob, papers, q="early termination charge", tag="x" * 300))
    gone = search(bob, papers, q="charge", tag="no such tag")
    assert "No document passes the filter, so nothing was searched" in told(gone)
    assert "Without filters there are 2 passages" in told(gone)
    assert "Drop the filter by tag: 2 passages" in gone
    assert re.search(r'name="tag" value="no such tag" checked', gone)


def test_what_files_say_of_themselves_narrows_what_is_searched(papers: Datasource, bob: User) -> None:
    told = {
        "Amendment": {
            "sender": "Amara Okafor <a.okafor@halden.example>",
            "sent": "2026-03-31T23:10:00+02:00",
            "recipients": ["Legal <legal@brook.example>", "Jo Berg"],
        },
        "Order form": {"author": "Amara Okafor", "created": "2025-11-02"},
    }
    for title, properties in told.items():
        Document.objects.filter(title=title).update(file_properties=properties)

    def found(**query: str) -> set[str]:
        return set(re.findall(r'class="sg" aria-label="(.*?)"', search(bob, papers, q="charge", **query)))

    assert found(written_by="okafor") == {"Amendment", "Order form"}
    assert found(written_by="Okafor", written_since="2026-03-01", written_until="2026-03-31") == {"Amendment"}
    assert found(written_until="2026-01-01") == {"Order form"}, "what says no day passes no filter of days"
    assert found(sent_to="brook.example") == {"Amendment"}
    assert found(written_by="Brook") == set(), "a recipient has written nothing"
    html = search(bob, papers, q="charge", written_by="Berg", written_since="2026-04-01")
    assert "Remove the filter Written by: Berg" in html
    assert "Remove the filter Day written: since 1 Apr 2026" in html
    assert 'name="written_by" form="search" value="Berg"' in html
    turned = search(bob, papers, q="charge", written_since="2027-01-02", written_until="2027-01-01")
    assert "“From” is a later day than “To”" in turned


def test_a_page_is_shown_beside_the_results(papers: Datasource, bob: User) -> None:
    html = search(bob, papers, q="charge customer")
    address = next(a for a in re.findall(r'class="q sr-a" href="(.*?)"', html) if "page=2" in a)
    near = browser_of(bob).get(f"{address}&near=1").content.decode()
    assert "<html" not in near
    assert "Page 2 of 3" in near
    assert "A search result is a passage, not an answer" in near
    assert "The <mark>Customer</mark> shall pay" in " ".join(near.split())
    links = [unescape(link) for link in re.findall(r'<a [^>]*href="(.*?)"', near)]
    assert len(links) == 4
    assert all(link.startswith("/") for link in links)
    for link in links:
        assert browser_of(bob).get(link).status_code == 200, link


def test_filters_narrow_what_is_searched(papers: Datasource, bob: User) -> None:
    form = Document.objects.get(title="Order form")
    only = search(bob, papers, q="early termination charge", document=form.pk)
    assert results(only) == ["The [early termination charge] equals 25 % of the fees."]
    assert count(only) == "1 passage in 1 document"
    assert re.search(rf'name="document" value="{form.pk}" checked', only)
    assert 'title="Amendment: ' in only  # the others stay to be chosen

    Document.objects.filter(pk=form.pk).update(
        filename="order.txt", created=timezone.now() - timedelta(days=40)
    )
    assert len(results(search(bob, papers, q="charge", type="txt"))) == 1
    assert "Order form" not in re.findall(r'aria-label="(.*?)"', search(bob, papers, q="charge", type="pdf"))
    old = (timezone.now() - timedelta(days=30)).date().isoformat()
    assert results(search(bob, papers, q="charge", until=old)) == [
        "The early termination [charge] equals 25 % of the fees."
    ]
    assert not any("equals" in text for text in results(search(bob, papers, q="charge", since=old)))
    nothing = search(bob, papers, q="charge", type="docx")
    assert "No document passes the filter" in told(nothing)
    assert "Drop the filter by type" in nothing
    assert "Remove the filter Type: DOCX" in nothing
    assert re.search(r'name="type" value="docx" checked', nothing)
    assert "Remove the filter Document: none" in search(bob, papers, q="charge", document=10**8)
    assert "Remove the filter" not in search(bob, papers, q="charge", datasource=papers.pk)
    turned = search(bob, papers, q="charge", since="2027-01-02", until="2027-01-01")
    assert results(turned) == []
    assert "“From” is a later day than “To”" in turned


@pytest.mark.parametrize("exact", ["", "1"])
def test_which_filter_keeps_out_what_has_the_words_is_said(papers: Datasource, bob: User, exact: str) -> None:
    Document.objects.filter(title="Lunch").update(metadata={"tags": ["canteen"]}, filename="lunch.txt")
    html = search(bob, papers, q="soup", exact=exact, tag="canteen", type="pdf")
    assert "No document passes all the filters" in told(html)
    assert "Without filters there is 1 passage" in told(html)
    assert re.findall(r"Drop the filter by (.*?): (\d)", html) == [("type", "1")]
    address = re.findall(r'href="([^"]*)">Drop the filter by type', html)[0]
    assert results(browser_of(bob).get(address).content.decode()) == ["[Soup] is served at noon."]

    kept_out = search(bob, papers, q="soup", exact=exact, type="pdf")
    assert "of the 2 documents that pass the filters" in told(kept_out)
    assert "Drop the filter by type: 1 passage" in kept_out
    nowhere = search(bob, papers, q="zzyzx qwrtp", exact=exact, type="pdf")
    assert "Without filters nothing is found either" in told(nowhere)
    assert "Drop the filter" not in nowhere

    other = create_datasource(papers.owner, "Other")
    elsewhere = search(papers.owner, None, q="soup", exact=exact, datasource=other.pk)
    assert "Drop the filter by datasource: 1 passage" in elsewhere


def test_how_many_documents_have_no_match_is_said(papers: Datasource, bob: User) -> None:
    assert "1 more without a match" in search(bob, papers, q="early termination charge", exact="1")
    assert "2 more without a match" in search(bob, papers, q="soup", exact="1")
    assert "without a match" not in search(bob, papers)
    # A document that a filter keeps out is not looked at, so nothing is said of it.
    Document.objects.filter(title="Order form").update(filename="order.txt")
    only = search(bob, papers, q="early termination charge", exact="1", type="txt")
    assert "without a match" not in only


def test_the_days_on_which_documents_were_added_are_drawn(papers: Datasource, bob: User) -> None:
    assert "sx-days" not in search(bob, papers)  # all of one day
    now = timezone.now()
    for title, days in (("Amendment", 24), ("Order form", 12), ("Lunch", 0)):
        Document.objects.filter(title=title).update(created=now - timedelta(days=days))
    drawn = re.compile(r'<rect x="(\d+)" y="\d+" width="12" height="(\d+)"( class="on")?/>')
    bars = drawn.findall(search(bob, papers))
    assert [bar for bar in bars if bar[1] != "0"] == [
        (left, "32", ' class="on"') for left in ("0", "70", "154")
    ]
    since = (now - timedelta(days=14)).date().isoformat()
    assert [left for left, _, on in drawn.findall(search(bob, papers, since=since)) if on] == ["70", "154"]
    until = (now - timedelta(days=20)).date().isoformat()
    assert [left for left, _, on in drawn.findall(search(bob, papers, until=until)) if on] == ["0"]


def test_what_no_search_may_give_is_not_given(papers: Datasource, bob: User) -> None:
    Chunk.objects.filter(text=CHARGE).update(left_out=True)
    Document.objects.filter(title="Order form").update(status=DocumentStatus.DELETED)
    for exact in ("", "1"):
        found = results(search(bob, papers, q="early termination charge", exact=exact))
        assert not any("Charge" in text or "equals" in text for text in found)


def test_all_datasources_of_a_person_are_searched_and_no_others(
    papers: Datasource, alice: User, bob: User, charlie: User
) -> None:
    letters = create_datasource(alice, "Letters")
    add(letters, "Letter", "We will not pay the early termination charge.")
    theirs = create_datasource(charlie, "Theirs")
    add(theirs, "Secret", "Our early termination charge is a secret.")
    mine = search(alice, q="early termination charge")
    assert any("We will not pay" in text for text in results(mine))
    assert any("set out in" in text for text in results(mine))
    assert "secret" not in mine
    assert "passages in 3 documents" in count(mine)
    shared = search(bob, q="early termination charge")
    assert not any("We will not pay" in text for text in results(shared))
    only = search(alice, q="early termination charge", datasource=letters.pk)
    assert len(results(only)) == 1
    assert 'title="Letters: 1 passage"' in only
    assert f'title="{papers.name}: not searched"' in only  # it may well have some
    foreign = search(bob, q="early termination charge", datasource=theirs.pk)
    assert "secret" not in foreign
    assert results(foreign) == results(shared)  # a choice that is not theirs is none
    assert "Remove the filter" not in foreign
    every = search(alice, q="early termination charge", exact=1)
    assert count(every) == "3 passages in 3 documents have these exact words. All were counted."


def test_of_very_many_datasources_it_says_which_were_searched(
    papers: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_views, "MOST_DATASOURCES", 2)
    create_datasource(alice, "Newer")
    create_datasource(alice, "Newest")
    html = search(alice, q="charge")
    assert "2 datasources that changed last were searched; 1 other was not" in " ".join(html.split())


def test_without_an_embedder_the_words_alone_are_searched(
    papers: Datasource, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(texts: list[str]) -> None:
        raise ProviderError("The embedding server does not answer.", transient=True)

    monkeypatch.setattr(embedder(), "embed", fail)
    html = search(bob, papers, q="early termination charge")
    assert "Only the words were searched" in html
    assert "The embedding server does not answer." in html
    assert any("[Early Termination Charge]" in text for text in results(html))


def test_too_many_searches_at_once_are_told_to_wait(
    papers: Datasource, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    slots = FairSlots(1, patience=0.05)
    monkeypatch.setattr(search_views, "SEARCHES", slots)
    lunch = Document.objects.get(title="Lunch")
    with slots.taken_by(0), CaptureQueriesContext(connection) as queries:
        html = search(bob, papers, q="charge", document=lunch.pk, type="pdf")
    assert "Many searches are running" in html
    assert not [each["sql"] for each in queries if "ingestion_chunk" in each["sql"]]
    assert re.search(rf'name="document" value="{lunch.pk}" checked', html)
    assert re.search(r'name="type" value="pdf" checked', html)
    assert results(search(bob, papers, q="charge"))


def test_the_words_are_embedded_once_however_much_is_searched(
    papers: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = create_datasource(alice, "Letters")
    letter = add(letters, "Letter", "We will not pay the early termination charge.")
    asked: list[list[str]] = []
    embed = embedder().embed

    def counted(texts: list[str]) -> Any:
        asked.append(list(texts))
        return embed(texts)

    monkeypatch.setattr(embedder(), "embed", counted)
    assert results(search(alice, q="termination charge", document=letter.pk))
    assert asked == [["termination charge"]]


def test_of_several_datasources_the_best_passage_comes_first(papers: Datasource, alice: User) -> None:
    add(create_datasource(alice, "Letters"), "Letter", "Soup was mentioned. A charge for lunch is unknown.")
    html = search(alice, q="early termination charge")
    assert "termination" in results(html)[0].lower()
    assert results(search(alice, q="soup at noon"))[0] == "[Soup] is served at [noon]."


def test_the_very_words_are_looked_for_once_and_only_the_page_is_read(
    papers: Datasource, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = add(papers, "Minutes", *[f"Item {number}: a termination charge." for number in range(60)])
    for number in range(5):
        add(papers, f"Note {number}", f"Number {number}: no termination charge.")
    monkeypatch.setattr(choices, "MOST_DOCUMENTS", 3)
    with CaptureQueriesContext(connection) as queries:
        html = search(bob, papers, q="termination charge", exact=1, document=minutes.pk, page=2)
    assert len(results(html)) == 10
    assert "[termination charge]" in results(html)[0]
    assert "5 more with fewer passages" in html
    assert len(re.findall(r'name="document"', html)) == 3
    scans = [each["sql"] for each in queries if "~*" in each["sql"]]
    assert len([sql for sql in scans if "GROUP BY" in sql]) == 1
    assert all("LIMIT 50" in sql for sql in scans if "GROUP BY" not in sql)


def test_a_part_of_the_page_is_sent_while_one_types(papers: Datasource, bob: User) -> None:
    address = reverse("search", args=[papers.pk])
    answer = browser_of(bob).get(
        address, {"q": "charge", "since": "", "exact": "", "type": "pdf"}, headers={"HX-Request": "true"}
    )
    html = answer.content.decode()
    assert "<html" not in html
    assert 'id="found"' in html
    assert 'id="choices" hx-swap-oob="morph"' in html
    assert answer.headers["HX-Replace-Url"] == f"{address}?q=charge&type=pdf"


def test_strange_values_are_no_search(papers: Datasource, bob: User) -> None:
    for query in (
        {"q": "charge", "since": "2023-02-31", "until": "x", "document": "-1", "page": "0"},
        {"q": "()[]{}\\*+?|^$", "exact": "1"},
        {"q": "a" * 5000},
        {"q": "charge", "document": "9" * 50},
    ):
        search(bob, papers, **query)


# --- comments and tracked changes --------------------------------------------------------------------------
MARKUP_CHOICE = 'name="exact" value="markup"'


def remark(document: Document, text: str, position: int = 1, **more: Any) -> Annotation:
    page = Page.objects.get(document=document, number=1)
    values = {"kind": AnnotationKind.COMMENT, "author": "Ann Lee", "quote": "Early Termination Charge"} | more
    return Annotation.objects.create(page=page, position=position, text=text, **values)


def test_comments_are_searched_by_choice_alone(alice: User, contracts: Datasource) -> None:
    commented = add(contracts, "Order form", CHARGE)
    remark(commented, "Is the Zamboni clause too harsh?", made="2026-03-05")
    remark(commented, "by the zamboni", 2, kind=AnnotationKind.DELETED, author="Bo Arden", quote="")
    assert "Is the" not in search(alice, contracts, q="zamboni")
    page = search(alice, contracts, q="zamboni", exact="markup")
    assert "2 entries in 1 document" in " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert "Is the <mark>Zamboni</mark> clause too harsh?" in page
    assert "Comment by Ann Lee, 5 March 2026" in page
    assert "Deleted by Bo Arden" in page
    (address,) = re.findall(r'href="([^"]+note=1)"', page)
    opened = browser_of(alice).get(address).content.decode()
    assert 'aria-current="true"' in opened.partition("Comments and tracked changes")[2]
    assert "Zamboni" in search(alice, contracts, q="zamboni lee", exact="markup")
    assert "No comment and no tracked change" in search(alice, contracts, q="zamboni smith", exact="markup")


def test_comments_are_found_where_a_person_may_look_and_filters_pass(
    alice: User, charlie: User, contracts: Datasource
) -> None:
    one, other = add(contracts, "Order form", CHARGE), add(contracts, "Side letter", CHARGE)
    remark(one, "Too harsh, says the chair.")
    remark(other, "Too harsh, says the board.")
    filtered = search(alice, contracts, q="harsh", exact="markup", document=other.pk)
    assert "chair" not in filtered
    assert "board" in filtered
    for position in range(2, 210):
        remark(one, "Too harsh again.", position)
    assert "board" in search(alice, contracts, q='"harsh", says?', exact="markup", document=other.pk)
    everywhere = search(alice, q="board", exact="markup", all="1")
    assert "says the <mark>board" in everywhere
    assert re.search(r"Contracts\s*</span>\s*<[^>]*>\s*1\b", everywhere), "counted in its datasource"
    assert "says the" not in search(charlie, q="harsh", exact="markup")
    Document.objects.filter(pk=one.pk).update(status=DocumentStatus.DELETED)
    assert "chair" not in search(alice, contracts, q="harsh", exact="markup")


def test_comments_are_offered_where_there_are_any(alice: User, contracts: Datasource) -> None:
    document = add(contracts, "Order form", CHARGE)
    assert MARKUP_CHOICE not in search(alice, contracts, q="charge")
    remark(document, "Too harsh.")
    assert MARKUP_CHOICE in search(alice, contracts, q="charge")
