"""Which right an API token needs for each request of REST, taken from the addresses themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver

from accounts.api_tokens import WithinTokenScopes, scope_needed
from svq_site import api_urls

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
OPEN, CLOSED = "", "none"  # to everybody; to all tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """One request. needed: a TokenScope, OPEN or CLOSED. is_said: whether the view says so itself."""

    address: str
    method: str
    needed: str
    is_said: bool


def rights() -> list[Right]:
    """All of them, by address."""
    found = [right for pattern, view in _views(api_urls.urlpatterns) for right in _of(pattern, view)]
    return sorted(found, key=lambda right: (right.address, METHODS.index(right.method)))


def table() -> str:
    """In Markdown, a row for each address."""
    by_address: dict[str, list[Right]] = {}
    for right in rights():
        by_address.setdefault(right.address, []).append(right)
    rows = [
        f"| `{address}` | {', '.join(f'{each.method} {each.needed}'.strip() for each in listed)} |"
        for address, listed in by_address.items()
    ]
    return "\n".join(["| address | right |", "|---|---|", *rows])


def _of(address: str, view: Any) -> Iterator[Right]:
    is_open = WithinTokenScopes not in view.permission_classes
    for method in METHODS:
        if hasattr(view, method.lower()):
            needed = scope_needed(view, method)
            yield Right(
                address=address,
                method=method,
                needed=OPEN if is_open else needed.value if needed else CLOSED,
                is_said=is_open or needed is not None,
            )


def _views(patterns: list[Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for entry in patterns:
        here = above + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _views(entry.url_patterns, here)
        elif isinstance(entry, URLPattern):
            view: Any = entry.callback
            yield here, getattr(view, "cls", None) or view.view_class
