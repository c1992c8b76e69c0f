"""Collects the static files, but only when one of them has changed: compressing them all takes seconds."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage


class CollectedStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage; an address is worked out once, as a page names the file of icons fifty times."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.url = cache(super().url)

    def _save(self, name: str, content: Any) -> str:
        """Our style sheets and scripts travel without comments and indentation: a page waits for them."""
        squeezed = {"css": squeezed_css, "js": squeezed_js}.get(name.partition("/")[0])
        if squeezed:
            content = ContentFile(squeezed(b"".join(content.chunks())))
        return str(super()._save(name, content))


def squeezed_css(css: bytes) -> bytes:
    return re.sub(rb"\s*\n\s*", b"\n", re.sub(rb"/\*.*?\*/", b"", css, flags=re.DOTALL)).strip()


def squeezed_js(script: bytes) -> bytes:
    """Only comments that have a line of their own go: what stands in a string is told by no pattern. A string
    over several lines would lose its indentation; our scripts have none.
    """
    return re.sub(rb"(?m)^\s*(//.*\n|/\*\*.*\*/\s*\n)|^\s+", b"", script)


def collect() -> bool:
    """Bring STATIC_ROOT up to date; False when it was already."""
    found = fingerprint()
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    if stamp.exists() and stamp.read_text() == found:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(found)
    return True


def is_collected() -> bool:
    """Whether pages find their files, however these came there."""
    return (Path(settings.STATIC_ROOT) / CollectedStorage.manifest_name).exists()


def fingerprint() -> str:
    """Changes with the name, size or time of any file that would be collected."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
