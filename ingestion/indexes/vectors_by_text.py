"""A text that has a vector in the space already keeps that; only what is new there goes to the model.

So a new version of a document costs what is new in it. Nothing is kept for this beside the chunks' own
vectors: what is deleted is not reused, and no other datasource's vector is looked at.
"""

from collections.abc import Sequence

import numpy as np

from ingestion.models import VectorSpace
from ingestion.sql import query
from providers.protocols import Embedder, Vectors

HEAD = 4  # bytes of a halfvec in binary before its numbers


def embed(space: VectorSpace, texts: Sequence[str], model: Embedder) -> Vectors:
    """A vector of each text, float32 (len(texts), space.dimensions). Raises ProviderError."""
    vectors = _stored(space, list(dict.fromkeys(texts)))
    new = [text for text in dict.fromkeys(texts) if text not in vectors]
    if new:
        vectors |= zip(new, model.embed(new), strict=True)
    return np.stack([vectors[text] for text in texts])


def _stored(space: VectorSpace, texts: list[str]) -> dict[str, Vectors]:
    """Of those that are in a chunk with a vector in the space."""
    found = query("vectors_of_texts", texts=texts, datasource=space.datasource_id, space=space.pk)
    return {
        texts[place - 1]: np.frombuffer(vector, ">f2", offset=HEAD).astype(np.float32)
        for place, vector in found
    }
