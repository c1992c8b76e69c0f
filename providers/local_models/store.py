"""The installed models: a folder for each in the data folder, with a record of its contents."""

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from providers.local_models.configuration import Configuration
from providers.local_models.roles import LocalRole, is_identity

RECORD = "installed.json"
PARTIAL = ".partial"  # the folder of what is on its way
RUNNING = ".running"  # that of the process which runs a language model


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A model that is ready to be used.

    identity: its name and eight digits of the hash of its files, so that the vectors of two revisions are
    never compared. graph: the path of its ONNX file in `folder`. files: their SHA-256. place, revision: where
    it is from. dimensions: of an embedding model's vectors, else 0. size: in bytes. when: an ISO date.
    """

    role: LocalRole
    name: str
    identity: str
    folder: Path
    graph: str
    configuration: Configuration
    dimensions: int
    place: str
    revision: str
    licence: str
    size: int
    files: Mapping[str, str]
    when: str

    def as_json(self) -> dict[str, Any]:
        """Without its folder, which is where the record is."""
        return {
            "role": str(self.role),
            "name": self.name,
            "identity": self.identity,
            "graph": self.graph,
            "configuration": self.configuration.as_json(),
            "dimensions": self.dimensions,
            "place": self.place,
            "revision": self.revision,
            "licence": self.licence,
            "size": self.size,
            "files": dict(self.files),
            "when": self.when,
        }


def root() -> Path:
    """The folder of all installed models."""
    folder: Path = settings.MODELS_DIR / "installed"
    return folder


def running_folder() -> Path:
    """Where the process that runs a language model tells of itself."""
    return root() / RUNNING


def identity_of(name: str, files: Mapping[str, str]) -> str:
    """From the contents of the files: the same from the hub and from a folder."""
    told = "\n".join(f"{path} {digest}" for path, digest in sorted(files.items()))
    return f"{name}@{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def folder_of(role: LocalRole, identity: str) -> Path:
    return root() / role / identity.replace("/", "--")


def partial_folder(role: LocalRole, name: str, revision: str) -> Path:
    """Where its files are until they are complete, also between tries."""
    return root() / PARTIAL / f"{role}--{name.replace('/', '--')}--{revision[:12] or 'files'}"


def installed(role: LocalRole | None = None) -> list[Installed]:
    """By role and name."""
    roles = [role] if role else list(LocalRole)
    records = [path for each in roles for path in sorted((root() / each).glob(f"*/{RECORD}"))]
    return [model for path in records if (model := _read(path))]


def find(role: LocalRole, identity: str) -> Installed | None:
    """The one of that identity, whose record alone is read."""
    return _read(folder_of(role, identity) / RECORD) if is_identity(identity) else None


def matching(role: LocalRole, text: str) -> list[Installed]:
    """Those of an identity, a name, or the last part of a name."""
    return [
        model
        for model in installed(role)
        if text in (model.identity, model.name, model.name.rpartition("/")[2])
    ]


def keep(model: Installed, made_in: Path) -> None:
    """Move a folder of checked files, with its record, into place at once."""
    (made_in / RECORD).write_text(json.dumps(model.as_json(), indent=1, ensure_ascii=False))
    model.folder.parent.mkdir(parents=True, exist_ok=True)
    older = made_in.with_name(f"{made_in.name}.older")
    shutil.rmtree(older, ignore_errors=True)
    if model.folder.exists():  # the same files, in use perhaps: it is there until the new one is
        model.folder.replace(older)
    made_in.replace(model.folder)
    shutil.rmtree(older, ignore_errors=True)


def delete(model: Installed) -> None:
    """A process that uses it goes on with what it has loaded."""
    (model.folder / RECORD).unlink(missing_ok=True)
    shutil.rmtree(model.folder, ignore_errors=True)


def _read(record: Path) -> Installed | None:
    """None where there is none that can be read."""
    try:
        told = json.loads(record.read_bytes())
        told |= {
            "role": LocalRole(told["role"]),
            "configuration": Configuration.from_json(told["configuration"]),
            "folder": record.parent,
        }
        return Installed(**told)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
