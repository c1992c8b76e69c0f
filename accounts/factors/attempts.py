"""Guessing codes. Who guesses here knows the password already, so the account's attempts are counted from
everywhere together; a device that the person has signed in on before has a count of its own.
"""

from django.http import HttpRequest

from accounts.attempts import TooManyAttempts
from accounts.devices import account_key, known_device
from accounts.limits import Limit

FROM_EVERYWHERE = Limit(name="code-account", attempts=10, seconds=900)
KNOWN_DEVICE = Limit(name="code-device", attempts=10, seconds=900)
# A code counts for one period, and one before and after it; none counts twice, whichever process is asked.
USED = Limit(name="code-used", attempts=1, seconds=120)
PASSKEYS = Limit(name="passkey-network", attempts=30, seconds=60)


class CodeAttempt:
    """One attempt, counted from its start."""

    def __init__(self, request: HttpRequest, email: str) -> None:
        """Raises TooManyAttempts."""
        account = account_key(email)
        device = known_device(request, account)
        self.limit, self.subject = (KNOWN_DEVICE, device) if device else (FROM_EVERYWHERE, account)
        if wait := self.limit.take(self.subject):
            raise TooManyAttempts(wait)

    def succeeded(self) -> None:
        self.limit.give_back(self.subject)
