"""What may go wrong with an outside server, in words for people."""

from django.utils.translation import gettext_noop

from localization.stored import said

PRIVATE = gettext_noop(
    "The address is one of this machine or of a private network. To allow that for this one, tick "
    "“It lies on this machine or in a private network”."
)
PACKED = gettext_noop("The server sends its answers packed, which is not read.")
NO_CONNECTION = gettext_noop("There is no connection to the server.")
REFUSED = gettext_noop("The server refuses the token, or wants one (HTTP {status}).")
REDIRECTED = gettext_noop(
    "The server redirects elsewhere. Redirects are not followed: give the address where it answers."
)
TOO_LARGE = gettext_noop("The server sent more than SVQ reads at once.")
TOO_SLOW = gettext_noop("The server took more than {seconds} seconds.")
NO_MCP = gettext_noop("What answers there does not speak MCP over HTTP.")
BAD_TOKEN = gettext_noop("The token can't be read with this server's secret key. Give it again.")


class OutsideFailure(Exception):
    """The message is for people, and has nothing of what the server wrote."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def answered_with(status: int) -> OutsideFailure:
    return OutsideFailure(said("The server answered with HTTP {status}.", status=status))
