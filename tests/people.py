"""People who take part in tests, and their browsers."""

from django.test import Client

from accounts.models import User

PASSWORD = "correct horse battery"


def person(name: str) -> User:
    return User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.capitalize())


def browser_of(user: User) -> Client:
    """A client that is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client
