"""The two pages of a pack in a browser, opened as files: the one to read, and the one that verifies packs."""

import hashlib
import itertools
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from citations.marks import mark
from datasources.models import Datasource
from exchange.packs.content import content_of_turn
from exchange.packs.keys import own_key
from exchange.packs.verification import Expected, verify
from exchange.packs.verifying_page import verifying_page
from exchange.packs.writing import write_pack
from tests import axe
from tests.browser import DESKTOP, PHONE
from tests.factories import TEXT, make_document, make_turn
from tests.packs.made import archive_of, as_file, contents_of, damaged, sealed

pytest_plugins = ["tests.browser"]

UNNOTICED = """async ([pack, expected]) => {
    const bytes = Uint8Array.from(pack), unnoticed = [];
    for (let at = 0; at < bytes.length; at++) {
        bytes[at] ^= 1;
        const checks = await verify(bytes.buffer, expected);
        if (!checks.some(({ outcome }) => outcome === "broken")) unnoticed.push(at);
        bytes[at] ^= 1;
    }
    return unnoticed;
}"""
GIVER = "the key of the SVQ that gave out this page"
VERIFY = "([pack, expected]) => verify(Uint8Array.from(pack).buffer, expected)"
ANOTHER_MEANWHILE = """async ([slow, quick]) => {
    const [first, second] = [slow, quick].map((pack) => new File([Uint8Array.from(pack)], "a.zip"));
    const read = first.arrayBuffer.bind(first);
    let go;
    first.arrayBuffer = () => new Promise((resolve) => { go = () => resolve(read()); });
    const taken = take(first);
    await take(second);
    go();
    await taken;
}"""
WITHOUT_SIGNATURES = """() => {
    crypto.subtle.importKey = () => Promise.reject(new DOMException("Ed25519", "NotSupportedError"));
}"""


@pytest.fixture
def verifier(tmp_path: Path) -> Path:
    path = tmp_path / "verify.html"
    path.write_text(verifying_page(own_key()), encoding="utf-8")
    return path


def said_of(page: Page, pack: bytes) -> str:
    """What the page says once the pack was chosen."""
    name = f"{hashlib.sha256(pack).hexdigest()[:8]}.zip"
    page.set_input_files("#pack", {"name": name, "mimeType": "application/zip", "buffer": pack})
    expect(page.locator("#result .meta")).to_have_text(name)
    expect(page.locator("#result li").first).to_be_visible()
    return page.inner_text("#result")


def test_the_page_verifies_packs_as_the_command_does(
    kept_page: Page, verifier: Path, settings: Any, tmp_path: Path
) -> None:
    page, pack = kept_page, sealed()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(verifier.as_uri())
    said = said_of(page, pack)
    assert f"The pack is whole and unchanged, and signed by {GIVER}." in said
    assert own_key().shown in said
    key = own_key().fingerprint
    for what, bad in damaged().items():
        by_command = verify(as_file(bad), Expected(fingerprint=key, whose=GIVER))
        by_page = page.evaluate(VERIFY, [list(bad), key])
        assert [check["words"] for check in by_page] == [check.words for check in by_command.checks], what
        assert "broken" in {check["outcome"] for check in by_page}, what
    assert page.evaluate(UNNOTICED, [list(pack), own_key().fingerprint]) == []
    files = contents_of(pack) | {"pack.json": b"{}", "extra.txt": b""}
    said = said_of(page, archive_of(files))
    assert "Do not rely on it" in said
    assert "pack.json was altered." in said
    assert "extra.txt was added." in said
    assert "not laid out as SVQ writes packs" in said_of(page, b"%PDF-1.7")
    page.evaluate(ANOTHER_MEANWHILE, [list(pack), list(archive_of(files))])
    assert "Do not rely on it" in page.inner_text("#result")
    settings.DATA_DIR = tmp_path / "another"
    said = said_of(page, sealed())
    assert (
        "Signed by a key that this page does not know. Nothing was changed since it was signed with that key."
        in said
    )
    assert "Signed by another key" in said
    assert own_key().shown in said
    page.evaluate(WITHOUT_SIGNATURES)
    said = said_of(page, pack)
    assert "This browser cannot check signatures" in said
    assert "Not everything could be checked." in said
    assert "whole and unchanged, and signed" not in said
    assert requests == [verifier.as_uri()]


def test_both_pages_are_readable_for_everybody(
    kept_page: Page, verifier: Path, tmp_path: Path, db: None, contracts: Datasource, alice: User
) -> None:
    page, answer = kept_page, tmp_path / "answer.html"
    turn = make_turn(alice, make_document(contracts), answer=f"{TEXT} {mark(1)}\n\nSo it is said.")
    with write_pack(content_of_turn(turn)) as pack:
        answer.write_bytes(contents_of(pack.read())["answer.html"])
    for path in (answer, verifier):
        page.goto(path.as_uri())
        if path == verifier:
            said_of(page, sealed())
        for scheme, size in itertools.product(("light", "dark"), (DESKTOP, PHONE)):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert axe.violations(page) == [], (path.name, scheme)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(answer.as_uri())
    page.click("a.chip")
    picture = page.locator("article:target img")
    assert picture.evaluate("picture => picture.complete && picture.naturalWidth > 0")
