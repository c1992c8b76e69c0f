"""The end of a pack: the list of its files, and this deployment's signature of the list."""

from exchange.packs.archive import ArchiveWriter
from exchange.packs.keys import own_key, signed
from exchange.packs.manifest import MANIFEST, SIGNATURE, SignatureFile, manifest_of


def seal(archive: ArchiveWriter) -> None:
    """Add both to the archive, and close it."""
    manifest = manifest_of(archive.entries)
    archive.add(MANIFEST, manifest)
    archive.add(SIGNATURE, SignatureFile(key=own_key(), signature=signed(manifest)).as_bytes())
    archive.close()
