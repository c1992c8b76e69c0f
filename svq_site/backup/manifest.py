"""What a backup says of itself."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from svq_site.backup.errors import BackupError

FORMAT = 1
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Area(StrEnum):
    """Where the files of a host are, and what their names are in."""

    DOCUMENTS = "documents"  # the storage of documents
    MODELS = "models"  # the folder of installed models
    KEYS = "keys"  # the data folder


class Content(BaseModel):
    """content: its name in the store. size: in bytes, before encryption."""

    model_config = ConfigDict(frozen=True)

    content: Hash
    size: int


class File(Content):
    area: Area
    name: str


class Manifest(BaseModel):
    """postgres: the major version of the server. dumped_by: that of pg_dump. migrations: “app.name” of each
    that the database has. rows: of each table. missing: files that rows named and nobody had any more.
    secret_key: whether the key that encrypts secrets in the database is among the files, or was given by
    SVQ_SECRET_KEY.
    """

    format: int = FORMAT
    made: datetime
    version: str
    postgres: int
    dumped_by: int
    migrations: list[str]
    rows: dict[str, int]
    database: Content
    files: list[File]
    missing: list[str]
    secret_key: bool

    @classmethod
    def read(cls, text: bytes) -> "Manifest":
        """Raises BackupError."""
        try:
            found = cls.model_validate_json(text)
        except ValidationError as error:
            raise BackupError(
                "The manifest can't be read: a newer version of SVQ may have made this backup. Nothing was"
                " changed. Use the version that made it."
            ) from error
        if found.format != FORMAT:
            raise BackupError(
                f"SVQ {found.version} made this backup in a newer form. Nothing was changed. Use that version"
                " or a later one."
            )
        return found

    def contents(self) -> list[Content]:
        """All, each once."""
        return list({each.content: each for each in (self.database, *self.files)}.values())
