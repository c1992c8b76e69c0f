"""Vectors that a run over other chunks has paid for: kept until it ends, so that it embeds no text twice."""

from collections.abc import Collection, Mapping

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from datasources.models import Document
from desks.evaluation.models import PaidVector, Run

Vector = NDArray[np.float32]


def kept_vectors(run: Run, keys: Collection[str]) -> dict[str, Vector]:
    """Those of the keys that there are."""
    paid = PaidVector.objects.filter(run=run, key__in=keys).values_list("key", "vector")
    return {key: np.array(vector, np.float32) for key, vector in paid}


@transaction.atomic
def keep_vectors(run: Run, document: Document, made: Mapping[str, Vector]) -> None:
    """By their keys; nothing of a document that has been purged meanwhile."""
    if Document.objects.select_for_update(no_key=True).filter(pk=document.pk).exists():
        PaidVector.objects.bulk_create(
            [PaidVector(run=run, key=key, vector=vector) for key, vector in made.items()],
            ignore_conflicts=True,
        )
