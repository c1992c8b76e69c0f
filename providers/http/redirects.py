"""Refuses redirects to other hosts, which would receive what was asked."""

from urllib.parse import urljoin, urlsplit

import httpx


def stay(response: httpx.Response) -> None:
    """A hook of clients: a redirect to another host is not followed, and stands as the answer."""
    if response.has_redirect_location and not _is_same_host(response):
        del response.headers["location"]


async def stay_async(response: httpx.Response) -> None:
    """The same for asynchronous clients."""
    stay(response)


def _is_same_host(response: httpx.Response) -> bool:
    asked = str(response.request.url)
    try:
        return urlsplit(urljoin(asked, response.headers["location"])).hostname == urlsplit(asked).hostname
    except ValueError:
        return False
