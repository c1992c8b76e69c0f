"""What the first request to each page would else wait for, done once beside the start of the server."""

from threading import Thread

from django.conf import settings
from django.template.loader import get_template

TEMPLATES = settings.BASE_DIR / "templates"


def start() -> None:
    """Compile the templates on a thread; a request that is quicker compiles its own, as ever."""
    Thread(target=compile_templates, name="warm-up", daemon=True).start()


def compile_templates() -> None:
    for path in sorted(TEMPLATES.rglob("*.html")):
        get_template(path.relative_to(TEMPLATES).as_posix())
