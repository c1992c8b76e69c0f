"""What a browser or a proxy may keep of the site: images of pages, by the signed-in browser, and nothing
else.
"""

from types import SimpleNamespace
from typing import Any

from svq_site.serving.refusals import SCIM
from tests.addresses import ADMINS, ALLAUTHS, OURS, OWNER, ROWS, path_of
from tests.responses import content_of
from tests.world import client_at, client_of

IMAGES = {
    "page_image",
    "api-page-image",
    "api-citation-image",
    "api-citation-crop",
    "api-citation-pdf",
    "gap_crop",
    "passage_crop",
    "source_page",
}
FOR_GOOD = "private, max-age=31536000, immutable"
NOTHING = "private, no-store"


def test_nothing_but_images_is_kept_whoever_asks(world: SimpleNamespace) -> None:
    plain = [address.route for address in (*ADMINS, *ALLAUTHS) if not address.arguments]
    paths = {f"/{route.replace('^', '')}": "" for route in plain} | {
        path_of(address.name, world): address.name for address in OURS if address.name in ROWS
    }
    assert len(paths) > 150
    wrong, images = [], set()
    for user in (world.people[OWNER], None):
        client = client_of(user)
        for path, name in paths.items():
            response: Any = (client_at(path, user) if user and path.startswith(SCIM) else client).get(path)
            content_of(response)  # a download is open until it is read
            kept = response["Cache-Control"]
            if kept == FOR_GOOD:
                images.add(name)
            elif kept != NOTHING:
                wrong.append((path, kept))
    assert not wrong
    assert images <= IMAGES
    assert "page_image" in images


def test_errors_and_redirects_are_not_kept_either(world: SimpleNamespace) -> None:
    client = client_of(world.people[OWNER])
    for path in ("/nowhere", "/api/v1/nowhere", "/admin"):
        assert client.get(path)["Cache-Control"] == NOTHING, path
