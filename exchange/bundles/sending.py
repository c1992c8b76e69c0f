"""A bundle as a file to download. It is made whole before it is sent: a slow client holds no connection to
the database, and what fails is told instead of sent in part.
"""

import time
import weakref
from collections import Counter
from tempfile import TemporaryFile
from threading import RLock
from typing import IO

from django.core.exceptions import ValidationError
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from datasources.models import Datasource
from datasources.web.downloads import as_download
from exchange.bundles.exporting import export
from jobs.fair_slots import Busy, FairSlots

ZIP = "application/zip"
EXPORTS = FairSlots(2, waiting_each=1, patience=5.0)
LONGEST = 600.0  # seconds
TOO_LONG = gettext_noop(
    "Writing this file takes more than ten minutes, so it was given up. Have an administrator run"
    " manage.py export_bundle, which has no such limit."
)


# Files of a person, in each web process, that are made or sent: a slow client keeps them on disk.
MOST_SENT = 2
_sent: Counter[int] = Counter()
_counting = RLock()  # a file may be collected, and then counts down, while its thread counts

BEGUN = "export_begun"  # a cookie by which the page that asked knows that the file is on its way


def bundle_file(datasource: Datasource, person: User, *, conversations: bool) -> StreamingHttpResponse:
    """Of an owner. Raises Busy, ValidationError."""
    file = _file_of(person.pk)
    try:
        with EXPORTS.taken_by(person.pk):
            ends = time.monotonic() + LONGEST
            for block in export(datasource, person, conversations=conversations):
                file.write(block)
                if time.monotonic() > ends:
                    raise ValidationError(_(TOO_LONG), code="too_large")
    except BaseException:
        file.close()
        raise
    size = file.tell()
    file.seek(0)
    answer = as_download(file, name=f"{datasource.name}.zip", size=size, content_type=ZIP)
    answer.set_cookie(BEGUN, "1", max_age=60, samesite="Strict")
    return answer


def _file_of(person: int) -> IO[bytes]:
    """One more file of the person, until it is sent or nobody has it any longer. Raises Busy."""
    file = TemporaryFile(prefix="svq-bundle-")  # noqa: SIM115  # closed when it is sent
    with _counting:
        if _sent[person] >= MOST_SENT:
            file.close()
            raise Busy
        _sent[person] += 1
    weakref.finalize(file, _gone, person)
    return file


def _gone(person: int) -> None:
    with _counting:
        _sent[person] -= 1
