"""The examinations that `doctor` makes: each tries the real thing and says what to do when it fails."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import httpx
import psycopg
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from accounts.identity.models import IdentityProvider
from accounts.identity.saml.certificates import SOON, warning
from datasources.models import Deletion
from datasources.storage import stored_files
from datasources.storage.errors import as_os_errors
from datasources.storage.files import delete_derived_files, delete_stored
from formats.legacy.office import soffice
from formats.ocr import tesseract
from formats.ocr.languages import in_words
from ingestion.models import SpaceStatus, VectorSpace
from providers.embedders import embedder
from providers.health import Level, health_of
from providers.ocr_server import OcrServer, read_sample
from providers.protocols import ProviderError
from providers.roles import ModelRole, endpoint
from retrieval import recall
from svq_site.database import data_folder, postgres
from svq_site.database.database import embedded_dir, is_embedded
from svq_site.database.database_log import leaking, settings_of_database
from svq_site.database.pooler import lacking
from svq_site.database.postgres import PostgresError
from svq_site.host import disk, health
from svq_site.host.checks import desks_without_tables, vector_extension
from svq_site.host.findings import Finding, failed, sound
from svq_site.host.schema import comparison
from svq_site.serving import open_files as open_files_limit
from text.counted import counted

PATIENCE = 10  # seconds for a model server
ENOUGH_FILES = 4096  # for a thousand readers with a stream and a page each
LATE = timedelta(minutes=10)  # after that, an incomplete deletion is reported


def database() -> Finding:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            (version,) = cursor.fetchone()
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError as error:
        return failed("database", str(error), "Start Postgres, or correct DATABASE_URL.")
    if missing:
        return failed("database", f"{missing} migrations are missing", "Run `manage.py migrate`.")
    return sound("database", f"Postgres {version}, migrated")


def tables() -> Finding:
    """Tables, columns, constraints, triggers and functions, whatever the list of migrations says."""
    try:
        items = comparison.differences()
    except DatabaseError as error:
        return failed("tables", str(error), "Get the database to work first.")
    if items:
        return failed("tables", f"{len(items):,} things differ", comparison.ADVICE, items)
    return sound("tables", "as this version needs them")


def database_server() -> Finding:
    """Where the embedded server has its data, which root's cannot always have where it was asked for."""
    if not is_embedded():
        return sound("database server", "the one that DATABASE_URL names")
    try:
        server = postgres.places(embedded_dir())
    except PostgresError as error:
        return failed("database server", str(error), "Start SVQ as an ordinary user.")
    detail = f"embedded, data in {server.data_dir}"
    if server.run_as:
        detail += f", run by {server.run_as}"
    if server.bin_dir != server.wheel_bin_dir:
        detail += f", programs in {server.bin_dir}"
    return sound("database server", detail)


def pooler() -> Finding:
    """Whether sessions through PgBouncer begin with what SVQ needs."""
    if not settings.DATABASE_DIRECT_URL:
        return sound("pooler", "none: DATABASE_URL leads to Postgres")
    try:
        items = lacking()
    except psycopg.Error as error:
        return failed("pooler", str(error), "Start PgBouncer, or correct DATABASE_URL.")
    if items:
        advice = "Run `manage.py migrate`, then RECONNECT in PgBouncer's console."
        return failed("pooler", f"{counted(len(items), 'setting')} of its sessions differ", advice, items)
    return sound("pooler", "between SVQ and Postgres")


def database_log() -> Finding:
    """What people wrote must not outlive its deletion in the log of the database."""
    try:
        leaks = leaking(settings_of_database())
    except DatabaseError as error:
        return failed("database log", str(error), "Get the database to work first.")
    if leaks:
        advice = (
            "Names and texts get into the log of Postgres and stay there when they are deleted here. Change"
            " these settings of the server, or of SVQ's role with ALTER ROLE, and remove the older logs."
        )
        detail = f"{counted(len(leaks), 'setting')} of the server let people's words in"
        return Finding(subject="database log", ok=True, detail=detail, advice=advice, items=leaks)
    return sound("database log", "has nothing of what is stored")


def extension() -> Finding:
    try:
        for problem in vector_extension(databases=["default"]):
            return failed("extension", problem.msg, problem.hint or "")
    except DatabaseError as error:
        return failed("extension", str(error), "Get the database to work first.")
    return sound("extension", "pgvector is there")


def desks() -> Finding:
    """Whether those that are left out have no tables any more."""
    try:
        problems = desks_without_tables(databases=["default"])
    except DatabaseError as error:
        return failed("desks", str(error), "Get the database to work first.")
    if problems:
        return failed("desks", " ".join(each.msg for each in problems), problems[0].hint or "")
    left_out = ", ".join(sorted(settings.LEFT_OUT))
    return sound("desks", f"without {left_out}" if left_out else "all are there")


def storage() -> Finding:
    """A small file is written, read and deleted."""
    place = storages["documents"]
    content = uuid4().bytes
    try:
        with as_os_errors():
            name = place.save(f"doctor/{uuid4().hex}", ContentFile(content))
            with place.open(name) as file:
                same = file.read() == content
            place.delete(name)
    except OSError as error:
        return failed("storage", str(error), "Check the rights of SVQ_DATA_DIR, or the SVQ_S3_ settings.")
    if not same:
        return failed("storage", "a file came back changed", "Check the disk or the S3 server.")
    return sound("storage", f"S3 bucket {settings.S3_BUCKET}" if settings.S3_BUCKET else "local disk")


def orphaned_files() -> Finding:
    """Files whose document is gone: a process was killed between two steps."""
    try:
        items = [*stored_files.orphans(), *map(str, stored_files.orphaned_folders())]
    except (OSError, DatabaseError) as error:
        return failed("orphaned files", str(error), "Get the storage and the database to work first.")
    if items:
        advice = "Delete them with `manage.py doctor --delete-orphans`."
        return failed("orphaned files", f"{len(items):,} belong to no document", advice, items)
    return sound("orphaned files", "none")


def missing_files() -> Finding:
    try:
        documents = stored_files.documents_without_file()
    except (OSError, DatabaseError) as error:
        return failed("missing files", str(error), "Get the storage and the database to work first.")
    if documents:
        items = [f"{document.pk}: {document.title}" for document in documents]
        advice = "Bring the files back from a backup, or delete these documents and add them again."
        return failed("missing files", f"{len(items):,} documents have none", advice, items)
    return sound("missing files", "none")


def deletions() -> Finding:
    """A deletion ends in seconds; one that does not waits for a worker or for the storage."""
    try:
        late = timezone.now() - LATE
        waiting = Deletion.objects.filter(completed=None, requested__lt=late).order_by("requested")
        items = [f"{deletion.name}, deleted {deletion.requested:%Y-%m-%d %H:%M}" for deletion in waiting]
    except DatabaseError as error:
        return failed("deletions", str(error), "Get the database to work first.")
    if items:
        advice = "They are tried again while a worker runs; see above whether the storage answers."
        return failed("deletions", f"{len(items):,} have not come to their end", advice, items)
    return sound("deletions", "all complete")


def delete_orphans() -> None:
    """Delete what `orphaned_files` finds. Raises OSError."""
    delete_stored(stored_files.orphans())
    delete_derived_files([folder.name for folder in stored_files.orphaned_folders()])


def embedding() -> Finding:
    try:
        model = embedder()
        (vector,) = model.embed(["Does it answer?"])
    except ProviderError as error:
        return failed(
            "embedding model",
            f"{error.message} {error.detail}",
            "Check its address and key (Settings, Models; or SVQ_EMBEDDING_BASE_URL).",
        )
    except DatabaseError as error:
        return failed("embedding model", str(error), "Get the database to work first.")
    return sound("embedding model", f"{model.name}, {len(vector)} dimensions")


def vectors() -> Finding:
    """How the vectors of each datasource are searched, and whether a change of the model has failed."""
    try:
        spaces = VectorSpace.objects.select_related("datasource")
        current = list(spaces.filter(status=SpaceStatus.CURRENT))
        reports = {space.datasource_id: recall.report(space) for space in current}
        failed_changes = list(spaces.filter(status=SpaceStatus.FAILED))
        filling = list(spaces.filter(status=SpaceStatus.FILLING))
    except DatabaseError as error:
        return failed("vectors", str(error), "Get the database to work first.")
    wrong = [f"{pk}: {report.detail}. {report.advice}" for pk, report in reports.items() if report.advice]
    wrong += [
        f"{space.datasource_id}: the change to {space} has failed. {space.error_message}"
        for space in failed_changes
    ]
    if wrong:
        advice = "Do what each line says; try a change again with `manage.py vectors NUMBER --change-model`."
        return failed("vectors", f"{len(wrong)} of {len(reports)} datasources need a look", advice, wrong)
    indexed = [space for space in current if space.indexed]
    tested = [space.recall for space in indexed if space.recall is not None]
    exactly = counted(len(current) - len(indexed), "datasource")
    detail = f"searched exactly: {exactly}; by an index: {len(indexed)}"
    if tested:
        detail += f", which finds {min(tested):.1%} of the nearest at the least"
    if filling:
        detail += f"; {len(filling)} are being embedded with another model, the old vectors answer"
    return sound("vectors", detail)


def chat_model() -> Finding:
    """The list of models is the one request to a model server that costs nothing."""
    server = endpoint(None, ModelRole.AGENT)
    if server is None:
        return sound("chat model", "none set: answers are verbatim quotes")
    if server.is_installed:
        found = health_of(server, ModelRole.AGENT)
        if found.level == Level.OK:
            return sound("chat model", f"{server.model}. {found.detail}")
        return failed("chat model", found.detail, "Start SVQ, or choose another under Settings, Models.")
    advice = "Check its address and key (Settings, Models; or SVQ_LLM_BASE_URL), and that it runs."
    headers = {"Authorization": f"Bearer {server.api_key}"} if server.api_key else {}
    try:
        url = f"{server.base_url.rstrip('/')}/models"
        answer = httpx.get(url, headers=headers, timeout=PATIENCE).raise_for_status()
        names = [model["id"] for model in answer.json()["data"]]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
        return failed("chat model", f"{url} gave no list of models: {error}", advice)
    if server.model not in names:
        shown = ", ".join(names[:5]) or "none"
        return failed(
            "chat model",
            f"the server has no “{server.model}” but {shown}",
            "Choose another under Settings, Models (or SVQ_LLM_MODEL).",
        )
    return sound("chat model", server.model)


def worker() -> Finding:
    try:
        queues = asyncio.run(health.living_queues())
    except (psycopg.Error, OSError) as error:
        return failed("worker", str(error), "Get the database to work first.")
    needed = (*health.NEEDED_QUEUES, *health.UPKEEP_QUEUES)
    if missing := [queue for queue in needed if queue not in queues]:
        advice = "Start everything with `make run`, or a worker alone with `manage.py worker`."
        return failed("worker", f"none listens for {' and '.join(missing)} jobs", advice)
    return sound("worker", f"listening for {', '.join(sorted(queues))} jobs")


def old_office_files() -> Finding:
    program = soffice()
    if program is None:
        detail = "not installed: DOC, PPT, RTF, ODT and ODP files are refused with what to save them as"
        return sound("LibreOffice", detail)
    return sound("LibreOffice", f"{program}: DOC, PPT, RTF, ODT and ODP files are converted")


def tesseract_installed() -> Finding:
    program, languages = tesseract.program(), tesseract.languages()
    if program is None:
        return sound("Tesseract", "not installed: scans are read by SVQ's own reader")
    if not languages:
        advice = "Install a language, such as the package tesseract-ocr-eng."
        return Finding(subject="Tesseract", ok=True, detail=f"{program} has no language", advice=advice)
    return sound("Tesseract", f"{program}, can be chosen for scans in {in_words(languages)}")


def ocr_server() -> Finding:
    """It is tried with a picture of one line."""
    server = endpoint(None, ModelRole.OCR)
    if server is None:
        return sound("OCR server", "none set: scans are read on this machine")
    try:
        return sound(
            "OCR server",
            read_sample(OcrServer(server.base_url, server.api_key, server.model, PATIENCE)),
        )
    except ProviderError as error:
        advice = "Check its address and key (Settings, Models; or SVQ_OCR_BASE_URL), and that it runs."
        return failed("OCR server", error.message, advice)


def privacy() -> Finding:
    folder = settings.DATA_DIR
    if data_folder.open_to_others(folder):
        advice = f"Others on this machine may look into it: chmod 700 {folder}"
        return Finding(subject="data folder", ok=True, detail=f"{folder} is not closed", advice=advice)
    return sound("data folder", f"{folder}, closed to others")


def disk_space() -> Finding:
    free = disk.free()
    detail = f"{free / 2**30:,.1f} GB free in {settings.DATA_DIR}"
    if free < disk.LEAST:
        return failed("disk", detail, "Free some space: below 1 GB SVQ does not start.")
    if free < disk.LOW:
        advice = "Free some space soon: on a full disk nothing is stored, and below 1 GB SVQ does not start."
        return Finding(subject="disk", ok=True, detail=detail, advice=advice)
    return sound("disk", detail)


def proxies() -> Finding:
    """HTTPS ends at a proxy; if it is not named, all visitors seem to come from one address."""
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        detail = "none is named though SVQ_HTTPS is set: limits of sign-in count all visitors as one address"
        return failed("proxies", detail, "Put the proxy's address into SVQ_TRUSTED_PROXIES.")
    return sound("proxies", ", ".join(settings.TRUSTED_PROXIES) or "none, visitors come directly")


def open_files() -> Finding:
    """What `up` and the web server raise their limit to, and how many connections that allows."""
    files = open_files_limit.reachable()
    limits = open_files_limit.connection_limits(files)
    detail = f"{files:,} at the most: up to {limits.total:,} connections, {limits.each:,} of one address"
    if files < ENOUGH_FILES:
        advice = (
            f"Raise the hard limit of open files to {ENOUGH_FILES:,} or more (ulimit -Hn, or LimitNOFILE=)."
        )
        return Finding(subject="open files", ok=True, detail=detail, advice=advice)
    return sound("open files", detail)


def sign_in_providers() -> Finding:
    """Whether the certificates last with which SAML providers sign. Sign-in goes on after their end."""
    try:
        ending = [(one, warning(one)) for one in IdentityProvider.objects.all()]
    except DatabaseError as error:
        return failed("sign-in providers", str(error), "Get the database to work first.")
    items = [f"{one}: {found.ends:%Y-%m-%d}" for one, found in ending if found]
    if items:
        advice = (
            "Ask whoever runs the provider for the next one; where metadata was pasted, paste it anew then."
        )
        detail = f"{counted(len(items), 'certificate')} ended, or will within {SOON.days} days"
        return Finding(subject="sign-in providers", ok=True, detail=detail, advice=advice, items=items)
    return sound("sign-in providers", f"{len(ending)} set up" if ending else "none")


EXAMINATIONS: list[Callable[[], Finding]] = [
    database,
    tables,
    database_server,
    pooler,
    database_log,
    extension,
    desks,
    storage,
    orphaned_files,
    missing_files,
    deletions,
    embedding,
    vectors,
    chat_model,
    worker,
    old_office_files,
    tesseract_installed,
    ocr_server,
    privacy,
    sign_in_providers,
    disk_space,
    proxies,
    open_files,
]
