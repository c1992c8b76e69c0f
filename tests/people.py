"""People who take part in tests, and their browsers."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from accounts.models import User

PASSWORD = "correct horse battery"
KEPT: dict[tuple[int, str], str] = {}  # sessions of people whom a module shares, by their hashes


def person(name: str) -> User:
    return User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.capitalize())


def browser_of(user: User) -> Client:
    """A client that is signed in."""
    client = Client()
    sign_in(client, user)
    return client


def sign_in(client: Client, user: User) -> None:
    """Without what a sign-in does besides: half of many tests would be that."""
    kept = KEPT.get((user.pk, user.get_session_auth_hash()))
    client.cookies[settings.SESSION_COOKIE_NAME] = kept or begin_session(user)


def begin_session(user: User) -> str:
    """Its key."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)
