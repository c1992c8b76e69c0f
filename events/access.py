"""Who asks for a stream, and whether they may have it. Sync: called on the streams' threads."""

from collections.abc import Iterable, Mapping
from hashlib import md5
from importlib import import_module
from types import SimpleNamespace
from typing import cast

from django.conf import settings
from django.contrib import auth
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest, parse_cookie
from django.http.request import split_domain_port, validate_host
from django_eventstream.utils import get_channelmanager
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.settings import api_settings

Person = AbstractBaseUser | AnonymousUser


class Refused(Exception):
    """Why there is no stream: an HTTP status and the parts of an error message."""

    def __init__(self, status: int, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.status = status
        self.error = {"code": code, "message": message, "hint": hint}


def require_known_host(headers: Mapping[str, str]) -> None:
    """Django's own check of ALLOWED_HOSTS, which only guards what passes through Django."""
    domain, _ = split_domain_port(headers.get("host", ""))
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        raise Refused(
            400,
            "unknown_host",
            "This address is not one that the server answers to.",
            "Add it to SVQ_ALLOWED_HOSTS.",
        )


def admit(headers: Mapping[str, str], channels: Iterable[str]) -> Person:
    """The person behind the request, when they may read all the channels. Raises Refused (401, 403).

    A channel that does not exist is refused like somebody else's, so the response reveals nothing.
    """
    person = identify(headers)
    if not person.is_authenticated:
        raise Refused(
            401, "not_signed_in", "These events need a signed-in reader.", "Sign in, or send a fresh token."
        )
    manager = get_channelmanager()
    if not all(manager.can_read_channel(person, channel) for channel in channels):
        raise Refused(
            403,
            "no_such_channel",
            "There is no such channel among those you may read.",
            "Check the address, or ask the owner to share the datasource.",
        )
    return person


def identify(headers: Mapping[str, str]) -> Person:
    """By bearer token when there is one, else by session cookie."""
    if given := headers.get("authorization"):
        return by_token(given)
    sessions = import_module(settings.SESSION_ENGINE)
    request = SimpleNamespace(session=sessions.SessionStore(session_key(headers)))
    return auth.get_user(cast(HttpRequest, request))


def identity(headers: Mapping[str, str], person: Person) -> frozenset[str]:
    """How the database names this reader when a right may have ended (`tell_access_changed`)."""
    by = "token:" if headers.get("authorization") else f"session:{session_key(headers)}"
    names = (f"user:{person.pk}", by)
    return frozenset(md5(name.encode(), usedforsecurity=False).hexdigest() for name in names)


def session_key(headers: Mapping[str, str]) -> str | None:
    key = parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME)
    return key if key and key.isalnum() and key.isascii() else None  # no other kind is ever issued


def by_token(authorization: str) -> Person:
    """By any of the REST interface's tokens."""
    request = HttpRequest()
    request.META["HTTP_AUTHORIZATION"] = authorization
    kinds: list[type[BaseAuthentication]] = list(api_settings.DEFAULT_AUTHENTICATION_CLASSES)  # type: ignore[arg-type]
    try:
        for kind in kinds:
            if not issubclass(kind, SessionAuthentication) and (
                given := kind().authenticate(Request(request))
            ):
                return cast(Person, given[0])
    except APIException:
        pass
    return AnonymousUser()
