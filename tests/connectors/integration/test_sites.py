"""Web sites that are followed, and ones that lie."""

import gzip
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from datasources.models import Datasource
from exchange.connectors import following, missing, services
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector, Status, parted
from exchange.connectors.sources import site as sites
from exchange.connectors.sources import source as places
from exchange.connectors.sources.site import SiteSource
from exchange.connectors.sources.source import SourceError
from exchange.packs.facts import svq_version
from jobs.runs import Stopped
from providers.connections.services import allow_owners
from tests.connectors.dripping_server import DrippingServer
from tests.connectors.looking import looked_at, names
from tests.connectors.site_server import Said, SiteServer, page
from tests.people import browser_of
from tests.responses import text_of


@pytest.fixture(autouse=True)
def _here(db: None, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.FETCH_WEB_PAGES = True
    allow_owners(connect=False, private_addresses=False, private_connectors=True)
    monkeypatch.setattr(sites, "GAP", 0.0)


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as running:
        yield running


@pytest.fixture
def site(server: SiteServer) -> SiteServer:
    """With two pages in its sitemap, one of them in a folder."""
    server.pages["/"] = page("Arden", "Welcome.")
    server.pages["/help/rent"] = page("When rent is due", "On the first.")
    server.maps("/", "/help/rent")
    return server


def follow(datasource: Datasource, place: str) -> Connector:
    return services.connect(datasource, Kind.SITE, place, by=datasource.owner)


def listed(place: str, known: tuple[str, ...] = ()) -> dict[str, str]:
    """The paths of a site's pages, each with why it is not read."""
    source = SiteSource(place, known, None, lambda: False)
    try:
        return {entry.path: entry.refusal for entry in source.entries()}
    finally:
        source.close()


def refused(place: str) -> SourceError:
    with pytest.raises(SourceError) as error:
        listed(place)
    return error.value


def test_pages_become_documents_that_know_their_address(contracts: Datasource, site: SiteServer) -> None:
    connector = looked_at(follow(contracts, site.address))
    assert connector.error is None
    assert names(contracts) == {"127.0.0.1.html", "rent.html"}
    rent = contracts.documents.get(filename="rent.html")
    assert rent.web_page.address == f"{site.address}/help/rent"
    assert rent.tags == ["help"]


def test_an_unchanged_page_is_not_sent_again(contracts: Datasource, site: SiteServer) -> None:
    connector = looked_at(follow(contracts, site.address))
    site.pages["/help/rent"] = page("When rent is due", "On the third.")
    looked_at(connector)
    assert site.unchanged == ["/"]
    rent = contracts.documents.filter(filename="rent.html").order_by("pk")
    assert list(rent.values_list("version", flat=True)) == [1, 2]
    looked_at(connector)
    assert site.unchanged == ["/", "/", "/help/rent"]


def test_a_sitemap_that_tells_changes_spares_the_pages(
    contracts: Datasource, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for once a day, as not all of them are right."""
    site.maps("/", "/help/rent", changed="2026-11-01")
    connector = looked_at(looked_at(follow(contracts, site.address)))
    site.asked.clear()
    looked_at(connector)
    assert site.asked == ["/robots.txt", "/sitemap.xml"]
    monkeypatch.setattr(sites, "_today", lambda: "tomorrow")
    looked_at(connector)
    assert "/help/rent" in site.asked


def test_what_the_sitemap_names_no_more_is_gone(contracts: Datasource, site: SiteServer) -> None:
    connector = looked_at(follow(contracts, site.address))
    site.maps("/")
    looked_at(connector)
    assert "rent.html" not in names(contracts)
    assert len(names(contracts)) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_goes_when_the_site_says_so(contracts: Datasource, site: SiteServer, status: int) -> None:
    connector = looked_at(follow(contracts, site.address))
    site.pages["/help/rent"] = Said(status=status)
    assert looked_at(connector).status == Status.IDLE
    assert len(names(contracts)) == 1
    looked_at(connector)
    assert f"HTTP {status}" in connector.files.get(path="/help/rent").refusal


@pytest.mark.parametrize(
    "said",
    [
        Said(status=500),
        Said(status=403),
        Said(b"<html><body>Sign in", headers={"Content-Type": "application/json"}),
        Said(status=302, headers={"Location": "https://login.example/?next=/help/rent"}),
    ],
)
def test_a_page_that_is_not_given_stays(contracts: Datasource, site: SiteServer, said: Said) -> None:
    connector = looked_at(follow(contracts, site.address))
    site.pages["/help/rent"] = said
    assert looked_at(connector).status == Status.IDLE
    assert "rent.html" in names(contracts)
    assert connector.files.get(path="/help/rent").refusal
    site.pages["/help/rent"] = page("When rent is due", "On the first.")
    looked_at(connector)
    assert not connector.files.get(path="/help/rent").refusal, "it is here again"


@pytest.mark.parametrize(
    "said", [Said(status=404), Said(b"<html><body>Sign in</body></html>"), Said(b"\x1f\x8bno gzip")]
)
def test_a_sitemap_that_is_none_deletes_nothing(contracts: Datasource, site: SiteServer, said: Said) -> None:
    connector = looked_at(follow(contracts, site.address))
    before = names(contracts)
    site.pages["/sitemap.xml"] = said
    looked_at(connector)
    assert names(contracts) == before


@pytest.mark.parametrize("names_it", ["index", "robots"])
def test_a_sitemap_at_another_site_may_name_the_rest(
    contracts: Datasource, site: SiteServer, names_it: str
) -> None:
    """It is not read, so what the others leave out is not gone."""
    connector = looked_at(follow(contracts, site.address))
    before = names(contracts)
    site.maps("/", at="/one.xml")
    other = "https://maps.example/two.xml"
    if names_it == "index":
        rows = "".join(f"<sitemap><loc>{each}</loc></sitemap>" for each in (f"{site.address}/one.xml", other))
        site.pages["/sitemap.xml"] = Said(f"<sitemapindex>{rows}</sitemapindex>".encode())
    else:
        site.pages["/robots.txt"] = Said(f"Sitemap: /one.xml\nSitemap: {other}\n".encode())
    assert looked_at(connector).error is None
    assert names(contracts) == before


def test_all_that_goes_at_once_asks_first(contracts: Datasource, site: SiteServer) -> None:
    connector = looked_at(follow(contracts, site.address))
    site.maps()
    assert looked_at(connector).error_code == "many_gone"
    site.maps("/", "/help/rent")
    for path in ("/", "/help/rent"):
        site.pages[path] = Said(status=404)
    assert looked_at(connector).error_code == "many_gone"
    assert len(names(contracts)) == 2


def test_a_site_that_is_away_deletes_nothing(contracts: Datasource, site: SiteServer) -> None:
    connector = looked_at(follow(contracts, site.address))
    for status in (500, 502):
        site.pages["/robots.txt"] = Said(status=status)
        assert looked_at(connector).error_code == "unreachable"
    site.__exit__()
    assert looked_at(connector).error_code == "unreachable"
    assert len(names(contracts)) == 2


def test_without_a_sitemap_the_links_of_the_start_page_are_followed(
    contracts: Datasource, server: SiteServer
) -> None:
    links = ["help", "/help/rent?a=1#x", "https://evil.example/", "mailto:a@b.example", "film.mp4", "//[::1"]
    body = "".join(f'<a href="{link}">x</a>' for link in links)
    server.pages["/start"] = page("Start", body)
    server.pages["/help"] = page("Help", "As always.")
    server.pages["/help/rent?a=1"] = page("Rent", "On the first.")
    server.pages["/"] = server.pages["/start"]
    assert set(listed(server.address)) == {"/", "/help", "/help/rent?a=1"}
    connector = looked_at(follow(contracts, server.address))
    assert len(names(contracts)) == 3
    server.pages["/"] = page("Start", "No links any more.")
    looked_at(connector)
    assert len(names(contracts)) == 3, "no longer linked is not gone"
    server.pages["/help"] = Said(status=410)
    looked_at(connector)
    assert len(names(contracts)) == 2


def test_a_site_is_told_who_asks() -> None:
    assert sites.AGENT["User-Agent"].startswith(f"SVQ/{svq_version()} (")


def test_robots_are_asked_and_obeyed(contracts: Datasource, site: SiteServer) -> None:
    site.pages["/robots.txt"] = Said(b"User-agent: *\nDisallow: /help/\n")
    connector = looked_at(follow(contracts, site.address))
    assert "/help/rent" not in site.asked
    assert "robots.txt" in connector.files.get(path="/help/rent").refusal


def test_robots_name_the_sitemap(server: SiteServer) -> None:
    server.pages["/robots.txt"] = Said(
        b"Sitemap: https://evil.example/sitemap.xml\nSitemap: /maps/all.xml.gz\n"
    )
    server.maps("/a", at="/maps/one.xml")
    index = f"<sitemapindex><sitemap><loc>{server.address}/maps/one.xml</loc></sitemap></sitemapindex>"
    server.pages["/maps/all.xml.gz"] = Said(gzip.compress(index.encode()))
    assert set(listed(server.address)) == {"/a"}


def test_a_part_of_a_site(server: SiteServer) -> None:
    server.maps("/help", "/help/a", "/helpers", "/other", "/help/../secret")
    assert set(listed(f"{server.address}/help")) == {"/help", "/help/a"}


def test_other_sites_in_a_sitemap_are_not_asked(contracts: Datasource, site: SiteServer) -> None:
    with SiteServer() as other:
        rows = f"<url><loc>{other.address}/x</loc></url><url><loc>{site.address}/</loc></url>"
        site.pages["/sitemap.xml"] = Said(f"<urlset>{rows}</urlset>".encode())
        site.leads("/", f"{other.address}/x")
        connector = looked_at(follow(contracts, site.address))
        assert other.asked == []
    assert "another site" in connector.files.get(path="/").refusal


def test_a_site_that_has_moved_says_where(server: SiteServer) -> None:
    for path in ("/robots.txt", "/sitemap.xml", "/"):
        server.leads(path, "https://www.arden.example/")
    error = refused(server.address)
    assert error.code == "moved"
    assert "https://www.arden.example" in error.message


def test_it_waits_between_two_requests(site: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "GAP", 0.1)
    site.pages["/robots.txt"] = Said(b"User-agent: SVQ\nCrawl-delay: 0.4\nUser-agent: *\nCrawl-delay: 9\n")
    begun = time.monotonic()
    listed(site.address)
    assert 0.4 <= time.monotonic() - begun < 9
    site.pages["/robots.txt"] = Said(b"User-agent: *\nCrawl-delay: 86400\n")
    assert "86,400 seconds" in refused(site.address).message


@pytest.mark.parametrize(
    "said",
    [
        Said(status=503),
        Said(status=429),
        Said(status=302, headers={"Location": "http://["}),
        Said(b"<p>x", headers={"Content-Type": "text/html", "Content-Length": "9"}),
        Said(gzip.compress(b"x"), headers={"Content-Encoding": "gzip"}),
    ],
)
def test_a_page_that_is_never_given_costs_the_others_nothing(
    contracts: Datasource, site: SiteServer, said: Said
) -> None:
    site.pages["/"] = said
    connector = looked_at(follow(contracts, site.address))
    assert connector.error is None
    assert names(contracts) == {"rent.html"}
    assert connector.files.get(path="/").refusal
    assert looked_at(connector).error is None


def test_pages_that_are_back_are_not_deleted(
    contracts: Datasource, server: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An earlier look was told that they are gone; this one has to ask again, however short its turns are."""
    monkeypatch.setattr(missing, "MANY", 3)
    paths = [f"/{number}" for number in range(8)]
    good = {path: page(path, f"Text of {path}") for path in paths}
    server.pages |= good
    server.maps(*paths)
    connector = looked_at(follow(contracts, server.address))
    server.pages |= dict.fromkeys(paths[:5], Said(status=404))
    assert (looked_at(connector).error_code, connector.gone) == ("many_gone", 5)
    server.pages |= good
    services.look_now(connector, may_go=5)
    for _ in range(12):
        following.carry_on(connector.pk, seconds=0)
    connector.refresh_from_db()
    assert (connector.status, connector.error, len(names(contracts))) == (Status.IDLE, None, 8)


@pytest.mark.parametrize(("count", "walled"), [(2, 2), (12, 12), (12, 4)])
def test_a_wall_in_front_of_pages_deletes_none(
    contracts: Datasource, server: SiteServer, count: int, walled: int
) -> None:
    """Each page answers with the same one, such as to sign in: the others are not gone."""
    paths = [f"/{number}" for number in range(count)]
    good = {path: page(path, f"Text of {path}") for path in paths}
    server.pages |= good
    server.maps(*paths)
    connector = looked_at(follow(contracts, server.address))
    server.pages |= dict.fromkeys(paths[:walled], page("Sign in", "Who are you?"))
    assert looked_at(connector).error_code == "many_gone"
    assert "became the same" in connector.error_message
    assert looked_at(connector).error_code == "many_gone"
    server.pages |= good
    assert looked_at(connector).error is None
    assert names(contracts) == {f"{number}.html" for number in range(count)}
    assert not contracts.documents.current().filter(title="Sign in").exists()


def test_pages_that_stay_busy_fail_no_look(
    contracts: Datasource, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But the site is left alone as long as it asks for."""
    monkeypatch.setattr(places, "MOST_NOT_GIVEN", 3)
    for path in ("/a", "/z"):
        site.pages[path] = Said(status=503, headers={"Retry-After": "7200"})
    site.maps("/", "/a", "/help/rent", "/z", changed="2026-11-01")
    connector = looked_at(looked_at(follow(contracts, site.address)))
    assert connector.error is None
    monkeypatch.setattr(places, "MOST_NOT_GIVEN", 2)
    assert looked_at(connector).error is None
    assert connector.next_look > timezone.now() + timedelta(minutes=110)


def test_a_slow_site_is_asked_first_for_what_is_new_or_waits_longest(
    contracts: Datasource, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the first pages were read each day, and the last ones never."""
    for number, path in enumerate(("/a", "/b", "/c", "/d")):
        site.pages[path] = page("Page", f"Number {number}.")
    site.maps("/b", "/c", "/d")
    connector = follow(contracts, site.address)
    monkeypatch.setattr(sites, "_today", lambda: "2026-11-01")
    looked_at(connector)
    monkeypatch.setattr(sites, "_today", lambda: "2026-11-02")
    monkeypatch.setattr(following, "LOOK_SECONDS", 0.0)  # one page in a turn
    services.look_now(connector)
    following.carry_on(connector.pk, seconds=0)
    site.maps("/a", "/b", "/c", "/d")
    monkeypatch.setattr(sites, "_today", lambda: "2026-11-03")
    site.asked.clear()
    connector.refresh_from_db()
    following.carry_on(connector.pk)
    assert [path for path in site.asked if len(path) == 2] == ["/a", "/c", "/d", "/b"]


@pytest.mark.parametrize("asked", ["7200", "date"])
def test_a_site_that_is_busy_is_left_alone(
    contracts: Datasource, site: SiteServer, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setattr(places, "MOST_NOT_GIVEN", 2)
    later = (timezone.now() + timedelta(hours=2)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    told = {"Retry-After": later if asked == "date" else asked}
    site.pages["/"] = site.pages["/help/rent"] = Said(status=429, headers=told)
    connector = looked_at(follow(contracts, site.address))
    assert connector.error_code == "busy"
    assert connector.next_look > timezone.now() + timedelta(minutes=110)


@pytest.mark.parametrize("bomb", ["gzip", "index", "urls", "robots", "rules", "entities"])
def test_bombs_end_in_a_sentence(server: SiteServer, monkeypatch: pytest.MonkeyPatch, bomb: str) -> None:
    server.pages["/"] = page("Start", "Here.")
    if bomb == "gzip":
        server.pages["/sitemap.xml"] = Said(gzip.compress(b"<urlset>" + b" " * 40 * 2**20))
        assert "larger than SVQ reads" in refused(server.address).message
    elif bomb == "index":
        rows = "".join(
            f"<sitemap><loc>{server.address}/s{number}.xml</loc></sitemap>" for number in range(200)
        )
        server.pages["/sitemap.xml"] = Said(f"<sitemapindex>{rows}</sitemapindex>".encode())
        assert "names more than 100 others" in refused(server.address).message
    elif bomb == "urls":
        server.maps(*(f"/{number}" for number in range(21_000)))
        assert "more than 20,000 pages" in refused(server.address).message
    elif bomb == "robots":
        server.pages["/robots.txt"] = Said(b"User-agent: *\nDisallow: /b\n" + b"#" * 50 * 2**20)
        server.maps("/a", "/b")
        found = listed(server.address)
        assert (found["/a"], bool(found["/b"])) == ("", True)
    elif bomb == "rules":
        rules = b"".join(b"Disallow: /*%d*x*y*z\n" % number for number in range(2_000))
        server.pages["/robots.txt"] = Said(b"User-agent: *\n" + rules)
        assert "more rules" in refused(server.address).message
    else:
        entity = '<!DOCTYPE u [<!ENTITY a "aaaa">]><urlset><url><loc>&a;</loc></url></urlset>'
        server.pages["/sitemap.xml"] = Said(entity.encode())
        assert set(listed(server.address)) == {"/"}, "as without a sitemap"


def test_a_sitemap_of_another_site_alone_says_so(server: SiteServer) -> None:
    rows = "<url><loc>https://www.arden.example/rent</loc></url>"
    server.pages["/sitemap.xml"] = Said(f"<urlset>{rows}</urlset>".encode())
    error = refused(server.address)
    assert (error.code, "https://www.arden.example" in error.message) == ("elsewhere", True)


def test_links_that_repeat_do_not_push_others_out(
    server: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sites, "MOST_LINKS", 2)
    server.pages["/"] = page("Start", "".join(f'<a href="{to}">x</a>' for to in ("/a", "/a", "/a", "/b")))
    assert set(listed(server.address)) == {"/", "/a", "/b"}


def test_what_another_page_has_taken_the_place_of_is_not_asked_for(
    contracts: Datasource, server: SiteServer
) -> None:
    """Its row has a path that no page has, while a look is under way."""
    server.pages["/"] = page("Start", "Welcome.")
    connector = looked_at(follow(contracts, server.address))
    file = connector.files.get()
    path = f"/rent{parted(file.document_id)}"
    connector.files.create(path=path, version="1", document=file.document)
    looked_at(connector)
    assert path not in server.asked


def test_an_index_that_names_itself_has_an_end(server: SiteServer) -> None:
    inner = f"<sitemap><loc>{server.address}/sitemap.xml</loc></sitemap>"
    server.pages["/sitemap.xml"] = Said(f"<sitemapindex>{inner}</sitemapindex>".encode())
    assert listed(server.address) == {}


def test_a_page_that_is_too_large_is_refused_alone(
    contracts: Datasource, site: SiteServer, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 2**20
    site.pages["/help/rent"] = page("Long", "x" * 2 * 2**20)
    connector = looked_at(follow(contracts, site.address))
    assert connector.status == Status.IDLE
    assert "larger than" in connector.files.get(path="/help/rent").refusal
    assert len(names(contracts)) == 1


def test_a_long_wait_ends_when_nobody_waits(contracts: Datasource, site: SiteServer) -> None:
    site.pages["/robots.txt"] = Said(b"User-agent: *\nCrawl-delay: 50\n")
    connector, begun = follow(contracts, site.address), time.monotonic()
    with pytest.raises(Stopped):
        following.carry_on(connector.pk, lambda: time.monotonic() > begun + 0.3)
    assert time.monotonic() - begun < 50


def test_sites_of_a_private_network_are_not_reached(contracts: Datasource, site: SiteServer) -> None:
    connector = follow(contracts, site.address)
    allow_owners(connect=True, private_addresses=True, private_connectors=False)
    assert looked_at(connector).error_code == "private"
    assert site.asked == []
    for place in ("http://127.0.0.1:9/", "http://169.254.169.254/latest", "http://[::1]/"):
        with pytest.raises(ValidationError, match="private network"):
            follow(contracts, place)


def test_a_name_that_leads_elsewhere_later_is_not_followed(
    contracts: Datasource, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public address when it is connected, one of this machine when it is asked."""
    allow_owners(connect=True, private_addresses=True, private_connectors=False)
    monkeypatch.setattr("exchange.connectors.kinds.addresses.is_private", lambda host: False)
    connector = follow(contracts, site.address.replace("127.0.0.1", "localhost"))
    assert looked_at(connector).error_code == "private"
    assert site.asked == []


def test_no_site_is_followed_where_the_server_fetches_no_web_pages(
    contracts: Datasource, site: SiteServer, settings: Any
) -> None:
    connector = looked_at(follow(contracts, site.address))
    before, settings.FETCH_WEB_PAGES = names(contracts), False
    site.asked.clear()
    assert looked_at(connector).error_code == "fetching_off"
    assert "SVQ_FETCH_WEB_PAGES" in connector.error_message
    with pytest.raises(ValidationError, match="SVQ_FETCH_WEB_PAGES"):
        follow(contracts, f"{site.address}/help")
    page = f"{reverse('connectors', args=[contracts.pk])}?kind=site"
    shown = browser_of(contracts.owner).get(page)
    assert "SVQ_FETCH_WEB_PAGES" in text_of(shown)
    assert 'name="place"' not in shown.content.decode()
    assert (site.asked, names(contracts)) == ([], before)


def test_a_look_in_parts_asks_each_page_once(contracts: Datasource, site: SiteServer) -> None:
    connector = follow(contracts, site.address)
    for _ in range(3):
        following.carry_on(connector.pk, seconds=0)
    connector.refresh_from_db()
    assert connector.status == Status.IDLE
    assert [site.asked.count(path) for path in ("/", "/help/rent")] == [1, 1]


@pytest.mark.parametrize(
    "place", ["ftp://a.example", "https://me:x@a.example", "https://a.example/?q=1", "/a"]
)
def test_what_is_no_address_of_a_site_is_refused(contracts: Datasource, place: str) -> None:
    with pytest.raises(ValidationError):
        follow(contracts, place)


def test_a_site_that_drips_is_not_waited_for(contracts: Datasource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "LIST_SECONDS", 0.3)
    with DrippingServer("file", "", "200 OK") as address:
        begun = time.monotonic()
        assert looked_at(follow(contracts, address)).error_code == "slow"
    assert time.monotonic() - begun < DrippingServer.SECONDS


def test_the_ending_of_an_address_says_what_it_is(contracts: Datasource, server: SiteServer) -> None:
    server.pages["/A.HTML"] = page("A", "In capitals.")
    server.pages["/b.php"] = page("B", "Made by a program.")
    server.pages["/notes.txt"] = Said(b"Plain words.", headers={"Content-Type": "text/plain"})
    server.pages["/false.pdf"] = page("Sign in", "This is no PDF.")
    server.maps("/A.HTML", "/b.php", "/notes.txt", "/false.pdf")
    connector = looked_at(follow(contracts, server.address))
    assert names(contracts) == {"A.HTML", "b.html", "notes.txt"}
    assert "another kind" in connector.files.get(path="/false.pdf").refusal
