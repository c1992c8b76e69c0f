"""How many passages a scope of some documents has: counted once for a search."""

from dataclasses import replace

from retrieval.query import Scope
from retrieval.sql import query


def passages_in(scope: Scope) -> int:
    """As it was counted, else counted now; of a scope of some documents."""
    if scope.passages is not None:
        return scope.passages
    ((passages,),) = query("chunks_of_documents", documents=sorted(scope.document_ids or ()))
    return int(passages)


def counted(scope: Scope) -> Scope:
    """The scope with its number of passages; a scope of all documents is returned as it is."""
    return scope if scope.document_ids is None else replace(scope, passages=passages_in(scope))
