"""Bundles for tests: exported, opened, and altered as somebody with a program for ZIP files could."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasources.models import Datasource
from exchange.bundles.archive import COMMENT
from exchange.bundles.exporting import export
from exchange.bundles.manifest import MANIFEST, hash_of

Rows = list[dict[str, Any]]


def bundle_of(datasource: Datasource, path: Path, **more: Any) -> Path:
    path.write_bytes(b"".join(export(datasource, datasource.owner, **more)))
    return path


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rows_of(path: Path, label: str) -> Rows:
    return [json.loads(line) for line in parts_of(path)[f"rows/{label}.jsonl"].splitlines()]


def altered(path: Path, change: Callable[[dict[str, bytes], dict[str, Any]], object]) -> Path:
    """A copy that somebody has changed and sealed again: only what its rows say can betray it."""
    parts = parts_of(path)
    manifest = json.loads(parts.pop(MANIFEST))
    change(parts, manifest)
    manifest["parts"] = [
        {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in parts.items()
    ]
    manifest["whole"] = hash_of(manifest)
    parts[MANIFEST] = json.dumps(manifest).encode()
    return packed(parts, path.with_name("altered.zip"))


def packed(parts: dict[str, bytes], path: Path) -> Path:
    def write(archive: zipfile.ZipFile) -> None:
        for name, content in parts.items():
            archive.writestr(name, content)

    return sealed(write, path)


def sealed(write: Callable[[zipfile.ZipFile], object], path: Path) -> Path:
    """An archive with its hash behind it, as all bundles have."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        write(archive)
        archive.comment = b"0" * COMMENT
    content = written.getvalue()[:-COMMENT]
    path.write_bytes(content + hashlib.sha256(content).hexdigest().encode())
    return path


def with_rows(label: str, change: Callable[[Rows], object]) -> Callable[[dict[str, bytes], Any], None]:
    """For `altered`: changes the rows of a table."""

    def changed(parts: dict[str, bytes], manifest: dict[str, Any]) -> None:
        name = f"rows/{label}.jsonl"
        rows = [json.loads(line) for line in parts[name].splitlines()]
        change(rows)
        parts[name] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        manifest["rows"][label] = len(rows)

    return changed
