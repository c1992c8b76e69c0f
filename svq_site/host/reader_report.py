"""How well the reader of hostile files is shut in: tried with a real child process."""

from collections.abc import Iterator

from django.conf import settings

from formats import ExtractionError
from formats.base import sandbox
from formats.base.confinement import Measure
from svq_site.database import database, postgres
from svq_site.host.findings import Finding, failed, sound

SAFER = "Linux 5.13 or newer has it; a container may need to allow it. All else works without."


def reader() -> Iterator[Finding]:
    """A line for each measure, and one for what a file that took the reader over could do."""
    secrets, socket = [settings.DATA_DIR / "secret_key", settings.DATA_DIR / "signing_key"], None
    if database.is_embedded():
        server = postgres.places(database.embedded_dir())
        secrets.append(server.password_file)
        socket = server.socket
    try:
        measures, possible = sandbox.examine(secrets, socket)
    except (ExtractionError, OSError) as error:
        yield failed("reader", str(error), "Reading files fails too: see that Python can start a process.")
        return
    yield from map(measured, measures)
    yield attempted(possible)


def measured(measure: Measure) -> Finding:
    subject = f"reader: {measure.name}"
    if measure.in_force:
        return sound(subject, measure.detail)
    return Finding(subject=subject, ok=True, detail=f"not in force: {measure.detail}", advice=SAFER)


def attempted(possible: list[str]) -> Finding:
    subject = "reader: attempts"
    if not possible:
        return sound(subject, "it reaches no secret, no server, no other process")
    advice = "A hostile file that took the reader over could do this. " + SAFER
    return Finding(subject=subject, ok=True, detail="not all refused", advice=advice, items=possible)
