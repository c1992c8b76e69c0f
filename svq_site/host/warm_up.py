"""What the first request to each page would otherwise wait for, done once while the server starts."""

from threading import Thread

from django.conf import settings
from django.template.loader import get_template
from procrastinate.contrib.django import app

from svq_site.host.memory import keep_what_is_loaded

TEMPLATES = settings.BASE_DIR / "templates"


def start() -> None:
    """On a thread; a request that is quicker compiles its own templates, as ever."""
    Thread(target=warm_up, name="warm-up", daemon=True).start()


def warm_up() -> None:
    if not settings.DEBUG:  # it keeps none
        compile_templates()
    app.perform_import_paths()  # the first job that is queued looks for its task among all
    keep_what_is_loaded()


def compile_templates() -> None:
    for path in sorted(TEMPLATES.rglob("*.html")):
        get_template(path.relative_to(TEMPLATES).as_posix())
