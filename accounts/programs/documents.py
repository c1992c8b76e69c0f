"""Reading the document by which a program is known (client ID metadata document).

Who asks for it is signed in and counted; the address has to be public, redirects are not followed, and no
more than a few kilobytes are read.
"""

import json
from datetime import timedelta

import httpx
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.models import User
from accounts.programs.addresses import is_of_document
from accounts.programs.described import describe
from accounts.programs.models import Program
from providers.http.clients import sync_client
from providers.http.time_limit import within

SECONDS = 5.0
LARGEST = 16 * 1024  # bytes
READ_AGAIN = timedelta(hours=1)
BY_PERSON = Limit(name="program-documents", attempts=20, seconds=60)


class Unreadable(Exception):
    """Why a program is not known, in a sentence."""


def program_of(client_id: str, person: User) -> Program | None:
    """That of the id, its document read anew where that was long ago. Raises Unreadable."""
    known = Program.objects.filter(client_id=client_id).first()
    if not is_of_document(client_id):
        return known if known and known.document_read is None else None
    if known and known.document_read and known.document_read > timezone.now() - READ_AGAIN:
        return known
    if BY_PERSON.take(str(person.pk)):
        raise Unreadable(
            _("You have tried too many programs within a minute. Wait a minute, then try again.")
        )
    try:
        return describe(client_id, json.loads(_read(client_id)))
    except ValidationError as refusal:
        raise Unreadable(refusal.messages[0]) from refusal
    except (ValueError, RecursionError) as error:
        raise Unreadable(_("What is at the program’s address is not JSON.")) from error


def _read(address: str) -> bytes:
    """Raises Unreadable."""
    public_only = not settings.FETCH_PRIVATE_ADDRESSES
    try:
        with (
            sync_client(timeout=SECONDS, public_only=public_only) as client,
            within(SECONDS, client),
            client.stream(
                "GET", address, headers={"Accept": "application/json"}, follow_redirects=False
            ) as answer,
        ):
            if answer.status_code != 200:
                raise Unreadable(
                    _("The program’s address answers with {status}.").format(status=answer.status_code)
                )
            read = b""
            for piece in answer.iter_bytes(chunk_size=4096):
                read += piece
                if len(read) > LARGEST:
                    raise Unreadable(_("The document at the program’s address is too long."))
            return read
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL) as error:
        raise Unreadable(
            _("The program’s address can’t be reached from this server. Use an API token instead.")
        ) from error
