"""Whether whoever asked still waits for the answer: long work in a view stops when nobody does."""

from threading import Event

from django.http import HttpRequest

ClientLeft = Event  # set once the connection has ended


def has_left(request: HttpRequest) -> bool:
    """Whether the connection of a request has ended. Under WSGI nobody can tell."""
    left: Event | None = getattr(request, "scope", {}).get("client_left")
    return left is not None and left.is_set()
