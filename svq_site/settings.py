"""All settings, read from the environment. docs/reference/settings.md lists every variable."""

import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import to_locale

from desks.left_out import left_out, without
from svq_site import env
from svq_site.database import data_folder

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("SVQ_DATA_DIR", str(BASE_DIR / "var"))).expanduser().resolve()
DEBUG = env.flag("SVQ_DEBUG", False)

# --- web -------------------------------------------------------------------------------------------------
HOST = env.text("SVQ_HOST", "127.0.0.1")
PORT = env.number("SVQ_PORT", 8000, low=1, high=65535)
ALLOWED_HOSTS = env.listing("SVQ_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.listing("SVQ_TRUSTED_ORIGINS")
HTTPS = env.flag("SVQ_HTTPS", False)
# Proxies whose X-Forwarded-For is believed. Anybody else could write there whatever they like.
TRUSTED_PROXIES = env.networks("SVQ_TRUSTED_PROXIES")
# Where links in mails lead.
SITE_URL = env.origin("SVQ_SITE_URL", ALLOWED_HOSTS[0], PORT, https=HTTPS)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
ROOT_URLCONF = "svq_site.urls"
ASGI_APPLICATION = "svq_site.asgi.application"
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # ids of selected documents

# --- how much of the server one client may hold ----------------------------------------------------------
HEADER_SECONDS = env.number("SVQ_HEADER_SECONDS", 15, low=1, high=3600)
BODY_SECONDS = env.number("SVQ_BODY_SECONDS", 30, low=1, high=3600)
CONNECTIONS_PER_ADDRESS = env.number("SVQ_CONNECTIONS_PER_ADDRESS", 512, low=1, high=100_000)
REQUESTS_PER_PERSON = env.number("SVQ_REQUESTS_PER_PERSON", 128, low=1, high=100_000)
STREAMS_PER_ADDRESS = env.number("SVQ_STREAMS_PER_ADDRESS", 384, low=1, high=100_000)
STREAMS_PER_PERSON = env.number("SVQ_STREAMS_PER_PERSON", 256, low=1, high=100_000)
# How long a web server goes on after SIGTERM, not ready any more, before its streams end.
DRAIN_SECONDS = env.number("SVQ_DRAIN_SECONDS", 0, high=300)

# --- limits of what is sent ------------------------------------------------------------------------------
KILOBYTE, MEGABYTE = 1024, 1024 * 1024
MAX_UPLOAD_BYTES = env.number("SVQ_MAX_UPLOAD_MB", 200, low=1, high=100_000) * MEGABYTE
MAX_GRAPH_IMPORT_BYTES = env.number("SVQ_MAX_GRAPH_IMPORT_MB", 50, low=1, high=10_000) * MEGABYTE
MAX_REQUEST_BYTES = env.number("SVQ_MAX_REQUEST_KB", 1024, low=64, high=100_000) * KILOBYTE
MAX_ANONYMOUS_BYTES = env.number("SVQ_MAX_ANONYMOUS_KB", 64, low=1, high=1024) * KILOBYTE
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_REQUEST_BYTES
# Folders of this server, in which administrators may have datasources follow files.
CONNECTOR_FOLDERS = env.listing("SVQ_CONNECTOR_FOLDERS")
AUDIT_DAYS = env.number("SVQ_AUDIT_DAYS", 730, low=0, high=36_500)
MAX_LINE_BYTES = env.number("SVQ_MAX_LINE_KB", 1024, low=1, high=100_000) * KILOBYTE
MAX_PASSAGES = env.number("SVQ_MAX_PASSAGES", 100_000, low=1)
# Of one document; a page, a text or a chunk with more is refused with words, never read in part.
MAX_PAGES = env.number("SVQ_MAX_PAGES", 20_000, low=1, high=1_000_000)
MAX_PAGE_CHARACTERS = env.number("SVQ_MAX_PAGE_CHARS", 100_000, low=1_000, high=5_000_000)
MAX_DOCUMENT_CHARACTERS = env.number("SVQ_MAX_DOCUMENT_CHARS", 10_000_000, low=1_000, high=100_000_000)
MAX_CHARACTERS_PER_BYTE = env.number("SVQ_MAX_CHARS_PER_BYTE", 50, low=1, high=10_000)
MAX_CHUNKS = env.number("SVQ_MAX_CHUNKS", 20_000, low=1, high=1_000_000)
MAX_CHUNK_ENTITIES = env.number("SVQ_MAX_CHUNK_ENTITIES", 100, low=1, high=10_000)
MAX_CHUNK_RELATIONS = env.number("SVQ_MAX_CHUNK_RELATIONS", 200, low=1, high=10_000)
READER_MEMORY_BYTES = env.number("SVQ_READER_MEMORY_MB", 768, low=128, high=100_000) * MEGABYTE
OCR_MEMORY_BYTES = env.number("SVQ_OCR_MEMORY_MB", 1000, low=700, high=100_000) * MEGABYTE
OCR_AT_ONCE = env.number("SVQ_OCR_AT_ONCE", 1, low=1, high=64)  # documents, in each worker process
WORKER_MEMORY_BYTES = env.number("SVQ_WORKER_MEMORY_MB", 1000, low=512, high=1_000_000) * MEGABYTE
MAX_PASSAGE_CHARACTERS = env.number("SVQ_MAX_PASSAGE_CHARS", 50_000, low=100, high=500_000)
# Of a datasource, and of a person within an hour; 0 is no limit for a person.
MAX_DATASOURCE_DOCUMENTS = env.number("SVQ_MAX_DATASOURCE_DOCUMENTS", 500_000, low=1)
MAX_DATASOURCE_BYTES = env.number("SVQ_MAX_DATASOURCE_MB", 50_000, low=1, high=100_000_000) * MEGABYTE
DOCUMENTS_PER_HOUR = env.number("SVQ_DOCUMENTS_PER_HOUR", 20_000)
UPLOAD_BYTES_PER_HOUR = env.number("SVQ_UPLOAD_MB_PER_HOUR", 20_000, high=100_000_000) * MEGABYTE
QUESTIONS_PER_HOUR = env.number("SVQ_QUESTIONS_PER_HOUR", 2_000)
# Whether the server fetches web pages for people, and whether from private addresses too.
FETCH_WEB_PAGES = env.flag("SVQ_FETCH_WEB_PAGES", False)
FETCH_PRIVATE_ADDRESSES = env.flag("SVQ_FETCH_PRIVATE_ADDRESSES", False)
# The routes that take files, with room for the other fields of the form; all others take MAX_REQUEST_BYTES.
FILE_ROUTES = (
    *("documents_upload", "document_replace", "api-documents", "api-document-replace"),
    *("bundles", "api-bundle-imports", "api-compatible-documents"),
)
FRAMEWORK_ROUTES = ("frameworks", "api-frameworks")
QUESTION_ROUTES = ("question_sets", "question_set")
BODY_LIMITS = dict.fromkeys(FILE_ROUTES, MAX_UPLOAD_BYTES + MEGABYTE) | {
    "api-graph-import": MAX_GRAPH_IMPORT_BYTES + MEGABYTE,
    "import_start": 6 * MEGABYTE,
    **dict.fromkeys((*FRAMEWORK_ROUTES, *QUESTION_ROUTES), 21 * MEGABYTE),
}


def secret_key() -> str:
    """SVQ_SECRET_KEY, otherwise one that is made once and kept in the data folder for its owner only."""
    if given := env.text("SVQ_SECRET_KEY"):
        return given
    path = DATA_DIR / "secret_key"
    data_folder.make(DATA_DIR)
    if not path.exists():
        data_folder.keep_secret(path, secrets.token_urlsafe(48))
    return path.read_text()


SECRET_KEY = secret_key()
SECRET_KEY_FALLBACKS = env.listing("SVQ_SECRET_KEY_FALLBACKS")
# What signs evidence packs; without it one is made at first use and kept in the data folder.
SIGNING_KEY = env.secret_bytes("SVQ_SIGNING_KEY", 32)
SIGNING_KEY_SOURCE = "svq_site.host.signing_key.signing_key"

INSTALLED_APPS = [
    "rest_framework_simplejwt.token_blacklist",  # before accounts, which takes it out of the admin
    "accounts",
    "accounts.factors",
    "accounts.identity",
    "accounts.programs",
    "accounts.scim",
    "providers.connections",
    "providers.local_models",
    "providers.spending",
    "datasources",
    "ingestion",
    "graph",
    "summaries",
    "retrieval",
    "reader",
    "citations",
    "answering",
    "chat",
    "digest",
    "memos",
    "desks.evaluation",
    "desks.tables",
    "desks.research",
    "desks.compliance",
    "exchange.packs",
    "exchange.shares",
    "exchange.connectors",
    "exchange.webhooks",
    "exchange.outside_tools",
    "exchange.bundles",
    "events",
    "jobs",
    "svq_site",
    "svq_site.admin_apps.SvqAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.mfa",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "django_eventstream",
    "procrastinate.contrib.django",
]
MIDDLEWARE = [
    "svq_site.monitoring.middleware.CountRequests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "svq_site.private_responses.KeepPrivate",
    "svq_site.malformed_requests.RefuseMalformed",
    "csp.middleware.CSPMiddleware",  # a policy is of documents: styles and scripts go out without it
    "svq_site.compression.CompressTexts",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "svq_site.languages.SpeakLanguage",
    "svq_site.serving.requests_at_once.RequestsOfPerson",
    "svq_site.audit.middleware.NoteRequests",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
# With SVQ_DEBUG none is kept: a saved template is read with the next page.
_LOADERS = [f"django.template.loaders.{name}.Loader" for name in ("filesystem", "app_directories")]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": not DEBUG,
        "OPTIONS": {
            **({"loaders": _LOADERS} if DEBUG else {}),
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "svq_site.context.site",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "svq_site.templatetags.icons",
                "svq_site.templatetags.sentences",
            ],
        },
    }
]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}


# --- database --------------------------------------------------------------------------------------------
# What a session begins with. A LIMIT above ef_search would silently cut results off; strict_order keeps
# filtered recall. A lock that is not given in ten minutes belongs to a process that hangs; an error is tried
# again. What a process that was killed has asked for is not carried on with.
SESSION_SETTINGS = {
    "hnsw.ef_search": "200",
    "hnsw.iterative_scan": "strict_order",
    "lock_timeout": "10min",
    "client_connection_check_interval": "5s",
}


def database(url: str, *, through_pooler: bool = False) -> dict[str, object]:
    """Django's settings for a libpq URL such as postgresql://user:password@host:5432/name?sslmode=require.

    `through_pooler`: it leads to PgBouncer, which gives a session to others after each transaction. So
    nothing is kept in one, and what it begins with is the role's (svq_site.database.pooler).
    """
    options = {"options": " ".join(f"-c {name}={value}" for name, value in SESSION_SETTINGS.items())}
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL does not begin with postgresql://: SVQ needs Postgres.")
    query = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "svq",
        "USER": unquote(parts.username or query.pop("user", "")),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or "") or query.pop("host", ""),
        "PORT": str(parts.port or query.pop("port", "")),
        "OPTIONS": query
        | ({} if through_pooler else options)
        | ({"pool": POOL | {"max_size": DATABASE_POOL}} if DATABASE_POOL else {}),
        "DISABLE_SERVER_SIDE_CURSORS": through_pooler,
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": bool(DATABASE_POOL),  # what a restarted Postgres has left behind is replaced
    }


DATABASE_POOL = env.number("SVQ_DATABASE_POOL", 0, high=500)
# Seconds. Many requests at once wait for a connection rather than being refused; that the database is back is
# soon noticed.
POOL: dict[str, object] = {"min_size": 1, "timeout": 10, "reconnect_timeout": 3}
EMBEDDED_POSTGRES_DIR = DATA_DIR / "postgres"
# manage.py starts the embedded server and exports DATABASE_URL before settings are read.
DATABASE_URL = env.text(
    "DATABASE_URL",
    f"postgresql:///svq?host={EMBEDDED_POSTGRES_DIR}&user=app&passfile={EMBEDDED_POSTGRES_DIR}/svq.pgpass",
)
# Past PgBouncer, where DATABASE_URL leads to it.
DATABASE_DIRECT_URL = env.text("SVQ_DATABASE_DIRECT_URL")
DATABASES = {"default": database(DATABASE_DIRECT_URL or DATABASE_URL)}
# For web servers and workers with many connections: see svq_site.database.pooler.
DATABASE_DIRECT = database(DATABASE_DIRECT_URL) if DATABASE_DIRECT_URL else {}
DATABASE_POOLED = database(DATABASE_URL, through_pooler=True) if DATABASE_DIRECT_URL else {}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- files -----------------------------------------------------------------------------------------------
S3_BUCKET = env.text("SVQ_S3_BUCKET")


def documents_storage() -> dict[str, object]:
    """Local disk, or an S3 bucket when SVQ_S3_BUCKET is set."""
    if not S3_BUCKET:
        options: dict[str, object] = {"location": DATA_DIR / "documents", "file_permissions_mode": 0o600}
        return {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": S3_BUCKET,
            "endpoint_url": env.text("SVQ_S3_ENDPOINT_URL") or None,
            "region_name": env.text("SVQ_S3_REGION") or None,
            "access_key": env.text("SVQ_S3_ACCESS_KEY") or None,
            "secret_key": env.text("SVQ_S3_SECRET_KEY") or None,
            "location": env.text("SVQ_S3_PREFIX"),
            "file_overwrite": False,
            "default_acl": None,
        },
    }


STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "documents": documents_storage(),
    "staticfiles": {"BACKEND": "svq_site.host.static_files.CollectedStorage"},
}
PAGES_DRAWN_AT_ONCE = env.number("SVQ_PAGES_DRAWN_AT_ONCE", (os.cpu_count() or 1) + 1, low=1, high=256)
CACHE_DIR = DATA_DIR / "cache"
MEDIA_ROOT = DATA_DIR / "media"
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# What no page asks for is neither kept nor compressed: that halves the time of a first start's collecting.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("map", "woff2", "png", "jpg", "webp", "gz", "br")

# --- models ----------------------------------------------------------------------------------------------
LLM_BASE_URL = env.text("SVQ_LLM_BASE_URL")
LLM_API_KEY = env.text("SVQ_LLM_API_KEY")
LLM_MODEL = env.text("SVQ_LLM_MODEL")
LLM_TIMEOUT = env.number("SVQ_LLM_TIMEOUT", 60, low=1, high=3600)
# Per million tokens, in whatever currency the bill has; 0 is unknown.
LLM_PRICE_INPUT = env.amount("SVQ_LLM_PRICE_INPUT")
LLM_PRICE_OUTPUT = env.amount("SVQ_LLM_PRICE_OUTPUT")
GRAPH_CONCURRENCY = env.number("SVQ_GRAPH_CONCURRENCY", 8, low=1, high=256)
EMBEDDING_BASE_URL = env.text("SVQ_EMBEDDING_BASE_URL")
EMBEDDING_API_KEY = env.text("SVQ_EMBEDDING_API_KEY")
EMBEDDING_MODEL = env.text("SVQ_EMBEDDING_MODEL")
EMBEDDING_DIMENSIONS = env.number("SVQ_EMBEDDING_DIMENSIONS", 0, high=4000)
# Where the model is that documents were embedded with before, until they are embedded again.
EMBEDDING_PREVIOUS_BASE_URL = env.text("SVQ_EMBEDDING_PREVIOUS_BASE_URL")
EMBEDDING_PREVIOUS_API_KEY = env.text("SVQ_EMBEDDING_PREVIOUS_API_KEY")
# A server that reads scans (docs/reference/ocr-server.md), where a datasource's owner chooses it.
OCR_BASE_URL = env.text("SVQ_OCR_BASE_URL")
OCR_API_KEY = env.text("SVQ_OCR_API_KEY")
OCR_MODEL = env.text("SVQ_OCR_MODEL", "default")
RERANK_BASE_URL = env.text("SVQ_RERANK_BASE_URL")
RERANK_API_KEY = env.text("SVQ_RERANK_API_KEY")
RERANK_MODEL = env.text("SVQ_RERANK_MODEL", "bge-reranker-v2-m3")
# A datasource with as many vectors gets an index; vectors of 384 dimensions, fewer of larger ones.
VECTOR_INDEX_FROM = env.number("SVQ_VECTOR_INDEX_FROM", 25_000, low=100)
MODELS_DIR = DATA_DIR / "models"
HUB_URL = env.text("SVQ_HUB_URL", "https://huggingface.co")  # where models are installed from

# --- other programs --------------------------------------------------------------------------------------
COMPATIBLE_ADDRESSES = env.flag(
    "SVQ_COMPATIBLE_ADDRESSES", True
)  # those of systems that SVQ takes the place of

# --- papers ----------------------------------------------------------------------------------------------
# Where the servers of Microsoft and Google are asked instead, as {url}/{host}/...: a gateway, or a stand-in.
CLOUDS_URL = env.text("SVQ_CLOUDS_URL").rstrip("/")
ARXIV = env.flag("SVQ_ARXIV", True)
ARXIV_API_URL = env.text("SVQ_ARXIV_API_URL", "https://export.arxiv.org/api/query")
ARXIV_PDF_URL = env.text("SVQ_ARXIV_PDF_URL", "https://export.arxiv.org/pdf")
ARXIV_PROXY = env.text("SVQ_ARXIV_PROXY")
ARXIV_PAUSE = env.number("SVQ_ARXIV_PAUSE", 3, high=3600)  # seconds from one request to the next

# --- people ----------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "allauth.account.auth_backends.AuthenticationBackend",
    "accounts.hashing.HeardOnce",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = ["accounts.hashing.InTurn"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "accounts.passwords.LongEnough", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.passwords.NotOnlyDigits"},
    {"NAME": "accounts.passwords.NotTheAddress"},
]
# An account with such rows is deactivated, not deleted: models, each with the field that names the person.
ROWS_OF_PEOPLE = {
    "datasources.Datasource": "owner",
    "chat.Conversation": "user",
    "compliance.Framework": "owner",
}
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
SIGNUP_OPEN = env.flag("SVQ_SIGNUP", False)
ADMIN_EMAIL = env.text("SVQ_ADMIN_EMAIL", "admin@localhost")
ACCOUNT_ADAPTER = "accounts.web.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "accounts.web.forms.SignUpForm",
    "change_password": "accounts.web.forms.PasswordForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = None  # the sign-in page asks
ACCOUNT_PREVENT_ENUMERATION = True
# `accounts.attempts` counts instead: allauth's counts let strangers lock people out.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None}
# Here allauth counts requests for mails, in each web process. Large, so that nobody can push out a count by
# causing others. Attempts to sign in are counted in the database (accounts.limits).
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
SOCIALACCOUNT_ADAPTER = "accounts.identity.adapter.ProviderAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True  # the adapter says which accounts
MFA_ADAPTER = "accounts.factors.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "SVQ"
MFA_TOTP_TOLERANCE = 1  # a code may be one period late or early
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_RATE_LIMITS = {"webauthn_login": None}  # accounts.factors.attempts counts
MFA_FORMS = {
    "authenticate": "accounts.factors.forms.CodeForm",
    "reauthenticate": "accounts.factors.forms.CodeAgainForm",
    "add_webauthn": "accounts.factors.forms.NewPasskeyForm",
    "authenticate_webauthn": "accounts.factors.forms.PasskeyForm",
    "login_webauthn": "accounts.factors.forms.PasskeyAloneForm",
    "reauthenticate_webauthn": "accounts.factors.forms.PasskeyAgainForm",
}
EMAIL_URL = env.text("SVQ_EMAIL_URL")
EMAIL_TIMEOUT = 10  # seconds
# Of accounts that people make themselves. Operators vouch for those that they make.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[SVQ] "
if EMAIL_URL:
    _mail = urlsplit(EMAIL_URL)
    EMAIL_HOST, EMAIL_PORT = _mail.hostname or "localhost", _mail.port or 587
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
    EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.scheme == "smtp+tls", _mail.scheme == "smtps"
else:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = env.text("SVQ_FROM_EMAIL", "svq@localhost")

# --- jobs and events -------------------------------------------------------------------------------------
PROCRASTINATE_WORKER_DEFAULTS: dict[str, Any] = {
    "update_heartbeat_interval": 2,
    "stalled_worker_timeout": 10,
    # The next job of a lock is only found by polling: the default of 5 s would be noticeable.
    "fetch_job_polling_interval": 0.5,
    "delete_jobs": "successful",
    "listen_notify": True,
}
PROCRASTINATE_ON_APP_READY = "jobs.manager.use_manager"
# One more document than there are cores: one slot is always left for who has none.
DOCUMENTS_AT_ONCE = env.number("SVQ_DOCUMENTS_AT_ONCE", (os.cpu_count() or 1) + 1, low=1, high=256)
DOCUMENTS_AT_ONCE_PER_PERSON = env.number(
    "SVQ_DOCUMENTS_AT_ONCE_PER_PERSON", max(1, DOCUMENTS_AT_ONCE - 1), low=1, high=256
)
# Processes that answer, for what an answer searches and checks keeps a processor busy.
ANSWER_WORKERS = env.number("SVQ_ANSWER_WORKERS", min(4, os.cpu_count() or 1), low=1, high=64)
# An answer waits for its model most of the time; what it searches and checks takes turns (jobs.threads).
TURNS_AT_ONCE = env.number("SVQ_TURNS_AT_ONCE", 50, low=1, high=256)
TURNS_AT_ONCE_PER_PERSON = env.number("SVQ_TURNS_AT_ONCE_PER_PERSON", 4, low=1, high=256)
# By queue: how many jobs one worker does at a time, and how many of a person all workers do; see jobs.lanes.
# Nobody's jobs, such as periodic ones, are only limited where `nobody` says how many all workers do.
JOB_LIMITS = {
    "ingest": {"worker": DOCUMENTS_AT_ONCE, "person": DOCUMENTS_AT_ONCE_PER_PERSON},
    "ocr": {"worker": OCR_AT_ONCE, "person": OCR_AT_ONCE},
    "agent": {"worker": TURNS_AT_ONCE, "person": TURNS_AT_ONCE_PER_PERSON},
    # Answers without a language model keep a processor busy: more at once would only make all of them later.
    "quotes": {"worker": 3, "person": TURNS_AT_ONCE_PER_PERSON},
    "runs": {"worker": 4, "person": 2},  # evaluations, tables, checks, imports: people come back to them
    "upkeep": {"worker": 4, "person": 2},  # what is short and soon done, deletions above all
    "heavy": {
        "worker": 3,
        "person": 2,
        "nobody": 2,
    },  # what keeps a processor busy or takes long, each with a time limit
}
# What holds the queue itself together, such as giving back the jobs of dead workers: every worker serves it.
ALWAYS_SERVED = "rescue"
# Loaded by workers alone: commands and web servers start in half the time without them.
PROCRASTINATE_AUTODISCOVER_MODULE_NAME = None
PROCRASTINATE_IMPORT_PATHS = [
    "accounts.programs.tasks",
    "accounts.tasks",
    "answering.suggestions.tasks",
    "chat.tasks",
    "chat.turns.forgotten",
    "chat.turns.tasks",
    "datasources.tasks",
    "desks.compliance.tasks",
    "desks.evaluation.tasks",
    "desks.research.tasks",
    "desks.tables.tasks",
    "events.tasks",
    "exchange.bundles.tasks",
    "exchange.connectors.tasks",
    "exchange.packs.tasks",
    "exchange.webhooks.tasks",
    "graph.tasks",
    "ingestion.blobs",
    "ingestion.forgotten",
    "ingestion.lifecycle.deletion",
    "ingestion.lifecycle.finishing",
    "ingestion.reader_folders",
    "ingestion.tasks",
    "ingestion.vector_jobs",
    "ingestion.web_pages.refetching",
    "jobs.tasks",
    "providers.connections.tasks",
    "providers.local_models.tasks",
    "providers.measuring",
    "retrieval.tasks",
    "summaries.tasks",
]
EVENTSTREAM_CHANNELMANAGER_CLASS = "svq_site.channels.SvqChannelManager"
# What a lower folder starts or cleans up in a higher one. The steps of reading, in their order:
PIPELINE_STEPS = [
    "ingestion.steps.fetch.Fetch",
    "ingestion.steps.extract.Extract",
    "ingestion.steps.attachments.Attachments",
    "ingestion.steps.recognise.Recognise",
    "ingestion.steps.split.Split",
    "ingestion.steps.embed.Embed",
    "graph.steps.FindMentions",
]
# All that is made from documents: what is made from other derived data stands before it.
DERIVED_DATA = [
    "svq_site.usage.derived.Budgets",
    "desks.evaluation.derived.Evaluations",
    "desks.tables.derived.Tables",
    "desks.research.derived.References",
    "desks.compliance.derived.Assessments",
    "exchange.shares.derived.Shares",
    "memos.derived.Memos",
    "chat.derived.Conversations",
    "chat.derived.Notes",
    "answering.suggestions.derived.Introductions",
    "reader.derived.PageImages",
    "summaries.derived.Summaries",
    "graph.derived.Graph",
    "ingestion.derived.ReadDocuments",
]
# The names of the models by which there are vectors:
MODELS_OF_VECTORS = "ingestion.indexes.vector_spaces.models"
# The tables of vectors, each after those that its vectors are made from:
VECTOR_TABLES = [
    "ingestion.indexes.chunk_vectors.ChunkVectors",
    "graph.aggregate.vector_tables.NameVectors",
    "graph.aggregate.vector_tables.EntityVectors",
    "graph.aggregate.vector_tables.RelationVectors",
]
# The tabs of a datasource, in their order.
DATASOURCE_TABS = [
    "ingestion.web.tab.DocumentsTab",
    "chat.web.tab.ChatTab",
    "reader.web.tab.SearchTab",
    "desks.tables.web.tab.TablesTab",
    "desks.compliance.web.tab.GapTab",
    "graph.web.tab.GraphTab",
    "reader.web.tab.ChunksTab",
    "desks.evaluation.web.tab.EvaluationTab",
    "desks.research.web.tab.PapersTab",
    "svq_site.activity.tab.ActivityTab",
    "datasources.web.tabs.SettingsTab",
]
# What apps add to the settings page of a datasource, and to the list of documents.
SETTINGS_PAGE = [
    "chat.web.answer_settings.AnswersPanel",
    "ingestion.web.vectors_section.VectorsPanel",
    "graph.web.settings_section.GraphPanel",
    "summaries.web.settings_section.SummariesPanel",
    "svq_site.usage.settings_section.BudgetPanel",
    "desks.compliance.web.settings_section.FrameworksPanel",
    "exchange.shares.web.settings_section.SharesPanel",
    "exchange.connectors.web.settings_panel.ConnectorsPanel",
    "exchange.webhooks.web.settings_panel.WebhooksPanel",
    "exchange.outside_tools.web.settings_panel.OutsideToolsPanel",
    "exchange.bundles.web.settings_panel.BundlePanel",
]
DOCUMENTS_PAGE = [
    "graph.web.documents_page.GraphOnDocumentsPage",
    "summaries.web.documents_page.SummariesOnDocumentsPage",
    "desks.research.web.documents_page.PapersOnDocumentsPage",
    "exchange.connectors.web.documents_page.SourcesOnDocumentsPage",
    "svq_site.activity.documents_page.IndexOnDocumentsPage",
]
# What follows when more people can read datasources:
AUDIENCE_WIDENED = "exchange.connectors.readers.follow_audience"
# How often a chunk is cited, for the pages of the reader:
CHUNK_CITATION_COUNT = "chat.citation_rows.count.citations_of_chunk"
# What documents are cited as where they have a shorter name than their title:
SHORT_NAMES = "desks.research.papers.short_names"
# Where personal data is masked in what models say of documents: see datasources.masking.
MASKED = "chat.masking.masked"
# Tools of the agent in datasources that have what they search:
AGENT_TOOLS = [
    "desks.compliance.agent_tools.ComplianceTools",
    "exchange.outside_tools.agent_tools.OutsideTools",
]
# What was asked in a datasource, for the test of its index:
QUESTIONS_ASKED = "chat.questions_asked.latest"
# What a channel looks like on a page, by the prefix of its name.
EVENT_RENDERERS = {"turn": "chat.web.stream", "datasource": "ingestion.web.stream"}

# --- desks -----------------------------------------------------------------------------------------------
LEFT_OUT = left_out(env.listing("SVQ_LEAVE_OUT"))
for _listed in (
    *(INSTALLED_APPS, PROCRASTINATE_IMPORT_PATHS, DERIVED_DATA, DATASOURCE_TABS),
    *(SETTINGS_PAGE, DOCUMENTS_PAGE, AGENT_TOOLS),
):
    _listed[:] = without(LEFT_OUT, _listed)
ROWS_OF_PEOPLE = {name: ROWS_OF_PEOPLE[name] for name in without(LEFT_OUT, ROWS_OF_PEOPLE)}
if not without(LEFT_OUT, [SHORT_NAMES]):
    SHORT_NAMES = ""

# --- REST ------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api_tokens.ApiTokenAuthentication",
        "rest_framework_simplejwt.authentication.JWTAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PARSER_CLASSES": [
        "svq_site.api_parsing.StorableJson",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "accounts.api_tokens.WithinTokenScopes",
    ],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "svq_site.api_errors.handle",
}
SIMPLE_JWT = {
    "ACCESS_TOKEN_LIFETIME": timedelta(minutes=30),
    "REFRESH_TOKEN_LIFETIME": timedelta(days=14),
    "ROTATE_REFRESH_TOKENS": True,
    "BLACKLIST_AFTER_ROTATION": True,
    "CHECK_REVOKE_TOKEN": True,  # a new password ends all tokens
    "AUTH_TOKEN_CLASSES": ("accounts.tokens.AccessToken",),
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "SVQ",
    "DESCRIPTION": "Ask your own documents and see the proof.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "DocumentStatus": "datasources.models.DocumentStatus",
        "TurnStatus": "chat.models.TurnStatus",
        "PaperSearchStatus": "desks.research.models.SearchStatus",
        "PaperImportStatus": "desks.research.models.ImportStatus",
        "ImportedPaperStatus": "desks.research.models.ItemStatus",
        "QuestionSetStatus": "desks.evaluation.models.sets.SetStatus",
        "RunStatus": "desks.evaluation.models.runs.RunStatus",
        "QuestionKind": "desks.evaluation.models.sets.Kind",
        "TableStatus": "desks.tables.models.TableStatus",
        "ConnectorStatus": "exchange.connectors.models.Status",
        "ConnectorKind": "exchange.connectors.models.Kind",
        "RoleEnum": "datasources.models.Role",
        "Speaker": "chat.api.rag_query.Speaker",
        "Engine": "retrieval.api.views.Engine",
    },
}
_ENUMS: dict[str, str] = SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
_OF_THESE = without(LEFT_OUT, _ENUMS.values())
SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"] = {key: path for key, path in _ENUMS.items() if path in _OF_THESE}

# --- what operators watch SVQ by --------------------------------------------------------------------------
METRICS_TOKEN = env.text("SVQ_METRICS_TOKEN")

# --- the rest --------------------------------------------------------------------------------------------
USE_TZ = True
TIME_ZONE = env.text("SVQ_TIME_ZONE", "UTC")
# A language is offered once its catalogue is there: docs/decisions/0107-languages.md
LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
NAMES_OF_LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "zh-hans": "简体中文",
    "ar": "العربية",
}
LANGUAGES = [
    (code, name)
    for code, name in NAMES_OF_LANGUAGES.items()
    if code == LANGUAGE_CODE or (LOCALE_PATHS[0] / to_locale(code) / "LC_MESSAGES" / "django.mo").exists()
]
FORMAT_MODULE_PATH = "localization.formats"
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LOG_FORMAT = env.choice("SVQ_LOG_FORMAT", "lines", "json")
# What asks other servers. At INFO or DEBUG these write whole addresses, which have secrets of webhooks, names
# of files and words of questions, and some of them what was sent.
TALKERS = (
    *("httpx", "httpx2", "httpcore", "httpcore2", "urllib3", "requests", "websockets"),
    *("boto3", "botocore", "s3transfer", "openai", "mcp", "arxiv", "huggingface_hub"),
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "svq_site.host.log_lines.LineFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "svq_site.host.json_log.JsonFormatter"},
    },
    "filters": {"refusals": {"()": "svq_site.host.log_lines.RefusalsInOneLine"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["refusals"],
            "formatter": "json" if LOG_FORMAT == "json" else "line",
        }
    },
    "root": {"handlers": ["stderr"], "level": env.text("SVQ_LOG_LEVEL", "WARNING")},
    "loggers": {
        "procrastinate": {"level": "WARNING"},
        # A lost database: the worker says so in one line and ends, these would add pages.
        "procrastinate.utils": {"level": "CRITICAL"},
        "psycopg.pool": {"level": "ERROR"},
        **{name: {"level": "WARNING"} for name in TALKERS},
        # What the server says of itself is written like all else.
        "uvicorn": {"handlers": ["stderr"], "propagate": False, "level": "WARNING"},
    },
}
