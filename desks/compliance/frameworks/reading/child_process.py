"""The program that opens files of frameworks. Run in the sandbox, never imported."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

# The packages without their __init__: the sandbox knows `formats` alone.
PACKAGE = ["desks", "compliance", "frameworks", "reading"]
for above, folder in enumerate(Path(__file__).resolve().parents[: len(PACKAGE)]):
    name = ".".join(PACKAGE[: len(PACKAGE) - above])
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [str(folder)]

from desks.compliance.frameworks.reading import files  # noqa: E402


def run(request: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """One frame: the framework as JSON. Raises ExtractionError."""
    draft = files.read(Path(request["path"]))
    yield {}, json.dumps(draft.as_json(), ensure_ascii=False).encode()
