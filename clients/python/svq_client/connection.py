"""What both transports share: where the server is, who asks, and what it means when no answer comes."""

import httpx

from svq_client.call import JSON, Call
from svq_client.errors import SvqError, time_limit

PROGRAM = "svq-client/0.1.0"


def checked_address(address: str) -> str:
    """Without a slash at its end. Raises SvqError `address_malformed`."""
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query:
        raise SvqError(
            "address_malformed",
            "This is not the address of a server.",
            "Give it as https://svq.example.org, without a password in it.",
        )
    return address.rstrip("/")


def headers(token: str) -> dict[str, str]:
    """Raises SvqError `token_malformed`: the HTTP library would repeat such a token in its error."""
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise SvqError(
            "token_malformed",
            "The token is empty, or has characters that no token has.",
            "Copy it again, without spaces and line breaks.",
        )
    return {"Authorization": f"Bearer {token}", "Accept": JSON, "User-Agent": PROGRAM}


def too_late(call: Call[object]) -> SvqError:
    return time_limit(f"{call.method} {call.path} was not answered.")


def failure(call: Call[object], error: httpx.HTTPError) -> SvqError:
    """Why no answer came. To be raised outside of `except`: the library's error has the request with the
    token.
    """
    if isinstance(error, httpx.TimeoutException):
        return too_late(call)
    return SvqError(
        "unreachable",
        f"The server could not be reached, or hung up: {type(error).__name__}.",
        "Check the address and whether SVQ runs.",
    )
