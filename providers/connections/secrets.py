"""Encrypts secrets in the database, such as keys of model servers. The key is made of SVQ_SECRET_KEY."""

import base64
import hashlib
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet


class Unreadable(Exception):
    """The text was encrypted with a secret that this server does not have."""


def encrypted(text: str) -> str:
    return _fernet().encrypt(text.encode()).decode() if text else ""


def decrypted(text: str) -> str:
    """Raises Unreadable."""
    try:
        return _fernet().decrypt(text.encode()).decode() if text else ""
    except InvalidToken as error:
        raise Unreadable from error


def rotated(text: str) -> str:
    """The same secret, encrypted with the newest key. Raises Unreadable."""
    try:
        return _fernet().rotate(text.encode()).decode() if text else ""
    except InvalidToken as error:
        raise Unreadable from error


@transaction.atomic
def rotate_column(rows: QuerySet[Any], column: str) -> tuple[int, list[str]]:
    """Encrypt what that column keeps with the newest secret: how many rows, and those that can't be read."""
    done, unreadable = 0, []
    for row in rows.select_for_update().exclude(**{column: ""}):
        try:
            setattr(row, column, rotated(getattr(row, column)))
        except Unreadable:
            unreadable.append(str(row))
        else:
            row.save(update_fields=[column])
            done += 1
    return done, unreadable


def _fernet() -> MultiFernet:
    """Encrypts with the secret key; decrypts also with the older ones in SVQ_SECRET_KEY_FALLBACKS."""
    return MultiFernet([Fernet(_key(one)) for one in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(b"svq model keys\0" + secret.encode()).digest())
