"""From a file to a draft of a framework: the file is opened in the sandbox. Domains are added here."""

import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from desks.compliance.frameworks.reading.draft import Draft, Node
from desks.compliance.frameworks.reading.files import SUFFIXES
from formats.base import sandbox
from formats.base.errors import ExtractionError
from formats.base.values import MEGABYTE
from localization.stored import retold

KINDS = "YAML of CISO Assistant, OSCAL catalogs (JSON), CSV and XLSX"
FILE_BYTES = 20 * MEGABYTE
SECONDS = 30.0  # of a processor; the 20 MB of YAML that are allowed take less than half of it
_PROGRAM = Path(__file__).with_name("reading") / "child_process.py"
_DOMAINS = Path(__file__).with_name("domains.toml")


def read_file(filename: str, file: BinaryIO, *, unwanted: Callable[[], bool] = lambda: False) -> Draft:
    """`unwanted`: asked while the file is read, whether nobody waits for it any more.

    Raises ValidationError, which says what is wrong with the file.
    """
    suffix = PurePath(filename).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValidationError(
            _(
                "“{filename}” is not a file of a list of points. SVQ imports {kinds}. "
                "Add a PDF or HTML page to a datasource first: its numbered articles can "
                "be made a list from there."
            ).format(filename=filename[:120], kinds=KINDS),
            code="unsupported",
        )
    content = file.read(FILE_BYTES + 1)
    if len(content) > FILE_BYTES:
        raise ValidationError(
            _("“{filename}” has more than {file_bytes} MB. Nothing was imported; split it.").format(
                filename=filename[:120], file_bytes=FILE_BYTES // MEGABYTE
            ),
            code="too_large",
        )
    try:
        draft = _read(content, suffix, unwanted)
    except ExtractionError as error:
        raise ValidationError(f"{retold(error.message)} {retold(error.hint)}", code="unreadable") from None
    named = replace(draft, name=draft.name if draft.name != "Framework" else PurePath(filename).stem)
    return with_domains(named)


def _read(content: bytes, suffix: str, unwanted: Callable[[], bool]) -> Draft:
    with TemporaryDirectory(prefix="svq-framework-") as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(content)
        frames = sandbox.frames(
            _PROGRAM,
            {"path": str(path)},
            memory_bytes=settings.READER_MEMORY_BYTES,
            frame_seconds=SECONDS,
            cpu_seconds=SECONDS,
            unwanted=unwanted,
        )
        body = b"".join(frame.body for frame in frames)
    return Draft.of_json(json.loads(body))


def with_domains(draft: Draft) -> Draft:
    """Each node with a domain: its own, that of the node above it, or the title of its chapter."""
    return replace(draft, nodes=tuple(_with_domains(draft)))


def _with_domains(draft: Draft) -> Iterator[Node]:
    known = _known_domains().get(draft.ref.upper(), {})
    above: list[tuple[str, str]] = []  # for each level the path of references and the domain
    for node in draft.nodes:
        del above[node.depth :]
        path, inherited = above[-1] if above else ("", "")
        path = f"{path}/{node.ref.lower()}".strip("/")
        domain = node.domain or known.get(path) or inherited or node.title or node.ref
        above.append((path, domain))
        yield replace(node, domain=domain[:120])


@cache
def _known_domains() -> dict[str, dict[str, str]]:
    return tomllib.loads(_DOMAINS.read_text(encoding="utf-8"))
