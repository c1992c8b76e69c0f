"""How contents lie in a backup folder: as they are, or encrypted by age, each a stream with a name."""

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import pyrage
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from pydantic import BaseModel, Field

from svq_site.backup.errors import BackupError, Damaged

KEY = "key.json"  # of an encrypted folder
# Of scrypt, with blocks of 8: 128 MB for a part of a second. The library's own function for pass phrases
# takes as much as this machine has, and then refuses to open the folder on a slower one.
COST, LARGEST_COST = 2**17, 2**20
NONCE = bytes(12)  # a new salt makes a new key, which seals one thing
BLOCK = 1 << 20  # bytes


class Reader(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class Sealing(Protocol):
    suffix: str  # of the names of files

    def name(self, digest: str) -> str:
        """What contents with this SHA-256 (hexadecimal) are called."""

    def seal(self, plain: Reader, to: BinaryIO) -> None:
        """Raises OSError, and whatever `plain` raises."""

    def open(self, sealed: BinaryIO, to: "Hashed") -> None:
        """Raises Damaged, OSError, and whatever is behind `to` raises."""


class Plain:
    suffix = ""

    def name(self, digest: str) -> str:
        return digest

    def seal(self, plain: Reader, to: BinaryIO) -> None:
        while block := plain.read(BLOCK):
            to.write(block)

    def open(self, sealed: BinaryIO, to: "Hashed") -> None:
        while block := sealed.read(BLOCK):
            to.write(block)


class Encrypted:
    """Names are keyed hashes, so that nobody without the pass phrase can see whether a file is in there."""

    suffix = ".age"

    def __init__(self, identity: pyrage.x25519.Identity) -> None:
        self._identity = identity
        self._recipient = identity.to_public()
        self._key = hashlib.sha256(f"names of {identity}".encode()).digest()

    def name(self, digest: str) -> str:
        return hmac.new(self._key, digest.encode(), "sha256").hexdigest()

    def seal(self, plain: Reader, to: BinaryIO) -> None:
        source, target = _Watched(plain), _Watched(to)
        try:
            pyrage.encrypt_io(source, target, [self._recipient])
        except (pyrage.EncryptError, OSError) as error:
            raise (source.error or target.error or OSError(str(error))) from error

    def open(self, sealed: BinaryIO, to: "Hashed") -> None:
        source, target = _Watched(sealed), _Watched(to)
        try:
            pyrage.decrypt_io(source, target, [self._identity])
        except (pyrage.DecryptError, OSError) as error:
            raise (source.error or target.error or Damaged(str(error))) from error


class Hashed:
    """Counts and hashes what passes through it, to be read from a source or written to a target."""

    def __init__(self, source: Reader | None = None, target: Any = None) -> None:
        self._source, self._target = source, target
        self._hash = hashlib.sha256()
        self.size = 0

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def read(self, size: int = BLOCK, /) -> bytes:
        assert self._source is not None
        block = self._source.read(size)
        self._count(block)
        return block

    def write(self, block: bytes, /) -> int:
        self._count(block)
        if self._target is not None:
            self._target.write(block)
        return len(block)

    def flush(self) -> None:
        """Asked for by age."""

    def _count(self, block: bytes) -> None:
        self._hash.update(block)
        self.size += len(block)


class _Watched:
    """Keeps an error of a stream: the library passes its words on, and not which error it was."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.error: Exception | None = None

    def read(self, size: int, /) -> bytes:
        return self._kept(self._stream.read, size)

    def write(self, block: bytes, /) -> int:
        return self._kept(self._stream.write, block)

    def flush(self) -> None:
        self._kept(self._stream.flush)

    def _kept(self, act: Any, *given: Any) -> Any:
        try:
            return act(*given)
        except Exception as error:
            self.error = error
            raise


class _Key(BaseModel):
    """The key of an encrypted folder, sealed with one that scrypt makes of the pass phrase."""

    salt: str  # hexadecimal, like `sealed`
    sealed: str
    cost: int = Field(default=COST, ge=COST, le=LARGEST_COST)

    def cipher(self, passphrase: str) -> ChaCha20Poly1305:
        made = Scrypt(bytes.fromhex(self.salt), length=32, n=self.cost, r=8, p=1)
        return ChaCha20Poly1305(made.derive(passphrase.encode()))


def new_key(passphrase: str) -> bytes:
    """The file that makes a new folder an encrypted one."""
    key = _Key(salt=secrets.token_hex(16), sealed="")
    identity = str(pyrage.x25519.Identity.generate())
    key.sealed = key.cipher(passphrase).encrypt(NONCE, identity.encode(), None).hex()
    return key.model_dump_json().encode()


def sealing_of(folder: Path, passphrase: str) -> Sealing:
    """Raises BackupError where the pass phrase is missing or another."""
    if not (folder / KEY).exists():
        return Plain()
    if not passphrase:
        raise BackupError(
            f"{folder} is encrypted. Nothing was changed. Give its pass phrase in SVQ_BACKUP_PASSPHRASE."
        )
    try:
        key = _Key.model_validate_json((folder / KEY).read_bytes())
        identity = key.cipher(passphrase).decrypt(NONCE, bytes.fromhex(key.sealed), None).decode()
        return Encrypted(pyrage.x25519.Identity.from_str(identity))
    except (InvalidTag, pyrage.IdentityError, ValueError) as error:
        raise BackupError(
            f"The pass phrase does not open {folder}. Nothing was changed. Try the one with which its first"
            f" backup was made; without it, or without an undamaged {KEY}, nobody can read the folder."
        ) from error
