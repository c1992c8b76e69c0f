"""The files of a page: answered before Django is asked, small, and kept by the browser."""

import gzip
import re
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.files.base import ContentFile

from svq_site.host.static_files import CollectedStorage
from svq_site.serving.static_app import CollectedFiles

SHEET = b"""/* What this is for,
   at length. */
@layer page {
  /* the head */
  .head > a,
  .head b { color: red; }
}
"""
SCRIPT = b"""// What this is for.
const there = "http://localhost"; // stays

function go() {
  // why
  location = there;
}
"""


async def others(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"a page"})


@pytest.fixture
def root(settings: Any, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    return tmp_path


def get(path: str, **headers: str) -> httpx.Response:
    """What the application gives for a file or anything else."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(cast(Any, CollectedFiles(others)))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            return await client.get(path, headers=headers)

    return async_to_sync(ask)()


def test_a_file_comes_compressed_and_a_page_from_the_application_behind(root: Path) -> None:
    long = SHEET * 20
    (root / "page.css").write_bytes(long)
    (root / "page.css.gz").write_bytes(gzip.compress(long))
    found = get("/static/page.css", **{"accept-encoding": "gzip"})
    assert found.headers["content-encoding"] == "gzip"
    assert found.content == long  # as httpx unpacks it
    assert found.headers["x-content-type-options"] == "nosniff"
    assert get("/static/page.css", **{"accept-encoding": "identity"}).content == long
    assert get("/static/missing.css").content == b"a page"
    assert get("/d/1/chat/").content == b"a page"


def test_a_file_the_browser_has_is_not_sent_again(root: Path) -> None:
    (root / "page.css").write_bytes(SHEET)
    etag = get("/static/page.css").headers["etag"]
    again = get("/static/page.css", **{"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")


def test_style_sheets_and_scripts_travel_without_their_comments(root: Path) -> None:
    storage = CollectedStorage(location=root, base_url="/static/")
    storage.save("js/page.js", ContentFile(SCRIPT))
    assert (root / "js" / "page.js").read_text() == (
        'const there = "http://localhost"; // stays\nfunction go() {\nlocation = there;\n}\n'
    )
    storage.save("css/page.css", ContentFile(SHEET))
    storage.save("vendor/page.css", ContentFile(SHEET))
    kept = (root / "css" / "page.css").read_text()
    assert kept == "@layer page {\n.head > a,\n.head b { color: red; }\n}"
    assert (root / "vendor" / "page.css").read_bytes() == SHEET  # with its licence


def test_no_script_has_a_string_over_several_lines_that_would_lose_its_indentation() -> None:
    for script in (Path(settings.BASE_DIR) / "static" / "js").glob("*.js"):
        strings = re.findall(r"`[^`]*`", script.read_text())
        assert not [string for string in strings if "\n" in string], script.name
