"""What `up` watches while it runs: the embedded database, the first readiness, the sample documents."""

import http.client
import time
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from svq_site.dashboard import sample, welcome
from svq_site.database import database
from svq_site.database.postgres import PostgresError, ensure_running, status
from svq_site.host import first_start

WAIT = 2  # seconds between two looks at the database
QUESTIONS_SHOWN = 3
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # to listen everywhere, and where to call then


class Readiness:
    """Tells once that everything answers, and once that the samples are read."""

    def __init__(self, say: Callable[[str], None], *, is_new: bool, on_terminal: bool) -> None:
        """is_new: whether this start made the first account and the samples. on_terminal: whether what is
        said is seen by a person, and kept in no log.
        """
        self.say = say
        self.is_new = is_new
        self.on_terminal = on_terminal
        self.announced = False
        self.samples_read = not is_new
        self.first_asked = False
        self.looked = time.monotonic()

    def look(self) -> None:
        """Called about every half second."""
        if not self.announced and healthy():
            self.announced = True
            self._announce()
        if time.monotonic() - self.looked < WAIT:
            return
        self.looked = time.monotonic()
        self._keep_database()
        if self.announced and not self.samples_read:
            self._look_at_samples()
        if self.announced and not self.first_asked:
            self._ask_first_questions()

    def _announce(self) -> None:
        host = "localhost" if settings.HOST in {"127.0.0.1", *ANYWHERE} else settings.HOST
        self.say(f"\nSVQ is ready: http://{host}:{settings.PORT}/")
        self._announce_account()
        if not self.is_new:
            self.say("Ctrl-C stops everything; the data stays.")
            return
        self.say(f"Try the datasource “{sample.SAMPLE_NAME}” and ask, for example:")
        for question in sample.suggested_questions()[:QUESTIONS_SHOWN]:
            self.say(f"  {question}")
        self.say("Ctrl-C stops everything; the data stays.\n")

    def _announce_account(self) -> None:
        """A password is printed on a terminal, but never in a log."""
        file = first_start.PASSWORD_FILE
        if not file.exists():
            self.say(
                "Sign in with your account. `manage.py make_account EMAIL --reset` gives a new password."
            )
        elif self.on_terminal:
            self.say(file.read_text().rstrip())
            self.say("It is shown only this once; `manage.py make_account EMAIL --reset` makes a new one.")
            file.unlink()
        else:
            self.say(f"The first account and its password are in {file}, which only you can read.")
            self.say("Delete the file when you have signed in.")

    def _look_at_samples(self) -> None:
        try:
            unfinished, failed = sample.samples_progress()
        except (DatabaseError, InterfaceError):
            connection.close()  # the next look opens another
            return
        if not unfinished:
            self.samples_read = True
            self.say(
                f"{failed} of the sample documents could not be read; the datasource's page says why."
                if failed
                else "The sample datasource is ready."
            )
            connection.close()

    def _ask_first_questions(self) -> None:
        """For the first page after the first sign-in; a start that was cut off is made up for by the next."""
        try:
            self.first_asked = welcome.ask_first_questions() == 0
        except (DatabaseError, InterfaceError):
            return
        finally:
            connection.close()

    def _keep_database(self) -> None:
        """The embedded server has no other keeper."""
        data_dir = database.embedded_dir()
        if not database.is_embedded() or status(data_dir).running:
            return
        self.say("The embedded database has gone. It starts again.")
        try:
            ensure_running(data_dir)
        except PostgresError as error:
            self.say(str(error))


def healthy() -> bool:
    """Does GET /healthz answer 200?"""
    host = ANYWHERE.get(settings.HOST, settings.HOST)
    # A name that the server answers to, whatever address it is called at.
    name = next((name for name in settings.ALLOWED_HOSTS if name[:1] not in "*."), "localhost")
    caller = http.client.HTTPConnection(host, settings.PORT, timeout=WAIT)
    try:
        caller.request("GET", "/healthz", headers={"Host": name})
        return caller.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        caller.close()
