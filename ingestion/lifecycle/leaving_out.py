"""Keeping single chunks out of every search."""

from ingestion.models import Chunk


def set_left_out(chunk: Chunk, left_out: bool) -> None:
    """Keep a chunk out of every search, or take it back in."""
    chunk.left_out = left_out
    Chunk.objects.filter(pk=chunk.pk).update(left_out=left_out)
