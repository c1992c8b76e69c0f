"""How passwords are hashed: few at once in a process. Each keeps a processor busy for a third of a second, so
many wrong ones at once would slow down everybody. Who waits takes turns by network: many from one keep the
others waiting for one of them only. Devices on which somebody has signed in before have a slot of their own,
which strangers can't keep busy, and take turns by account. Known and unknown accounts take the same way.
"""

from allauth.core import context
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.devices import known_as
from accounts.limits import network
from jobs.fair_slots import FairSlots
from providers.inference.processors import processors

SLOTS = FairSlots(max(1, processors() // 2), waiting_each=20, patience=10.0)
OF_KNOWN_DEVICES = FairSlots(1, waiting_each=4, patience=10.0)


class InTurn(PBKDF2PasswordHasher):
    """Django's own."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Also behind every comparison. Raises Busy."""
        request: HttpRequest | None = context.request  # none for a command
        if request and (account := known_as(request)):
            turn = OF_KNOWN_DEVICES.taken_by(account)
        else:
            turn = SLOTS.taken_by(network(request) if request else "")
        with turn:
            return super().encode(password, salt, iterations)


class HeardOnce(BaseBackend):
    """Behind allauth's backend, which has hashed the password by then: those below are for the sessions that
    they have begun.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: str) -> None:
        raise PermissionDenied
