"""Which vectors of a datasource are searched, and who may add to them."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from datasources.models import Datasource
from ingestion.models import SpaceStatus, VectorSpace
from localization.stored import said
from providers.protocols import Embedder, ProviderError
from sql import rows

WHOLE = (SpaceStatus.CURRENT, SpaceStatus.KEPT)


class Switched(ProviderError):
    """The datasource is searched in another space by now: the same work has to be done for that one."""

    def __init__(self) -> None:
        super().__init__("The embedding model was changed meanwhile.", transient=True)


def current(datasource_id: int) -> VectorSpace | None:
    """The space that is searched; None before the first embedding."""
    return VectorSpace.objects.filter(datasource=datasource_id, status=SpaceStatus.CURRENT).first()


def models() -> set[str]:
    """The names of the models by which there are vectors, searched or kept."""
    return set(VectorSpace.objects.values_list("model", flat=True))


def comparable(datasource_id: int, model: str, dimensions: int) -> VectorSpace | None:
    """The space whose vectors can be compared with one of that model; an empty name is the current model.

    None before the first embedding. Raises ProviderError where the datasource has no vectors by the model.
    """
    return comparable_of(whole(datasource_id), model, dimensions)


def whole(datasource_id: int) -> list[VectorSpace]:
    """The spaces that have a vector of every passage."""
    return list(VectorSpace.objects.filter(datasource=datasource_id, status__in=WHOLE).order_by("pk"))


def comparable_of(spaces: Sequence[VectorSpace], model: str, dimensions: int) -> VectorSpace | None:
    """The same among spaces that were looked up before."""
    for space in spaces:
        is_named = space.model == model if model else space.status == SpaceStatus.CURRENT
        if is_named and space.dimensions == dimensions:
            return space
    if not spaces:
        return None
    own = next((space for space in spaces if space.status == SpaceStatus.CURRENT), spaces[0])
    raise ProviderError(
        said(
            "The documents of this datasource were embedded with {own}, the question with {model} ({n} "
            "dimensions): they cannot be compared.",
            own=str(own),
            model=model or said("another model"),
            n=dimensions,
        )
    )


@transaction.atomic
def claim(datasource: Datasource, embedder: Embedder) -> VectorSpace:
    """The current space, which the first embedding makes. Raises Switched if it is not the embedder's."""
    row = Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    space = current(row.pk)
    if space is None:
        model, dimensions = embedder.name, embedder.dimensions
        Datasource.objects.filter(pk=row.pk).update(embedding_model=model, embedding_dimensions=dimensions)
        values = {"status": SpaceStatus.CURRENT, "changed": timezone.now()}
        space, _ = VectorSpace.objects.update_or_create(
            datasource=row, model=model, dimensions=dimensions, defaults=values
        )
    datasource.embedding_model, datasource.embedding_dimensions = space.model, space.dimensions
    if (space.model, space.dimensions) != (embedder.name, embedder.dimensions):
        raise Switched
    return space


def hold(space: VectorSpace) -> None:
    """Keep the space the searched one to the end of the transaction. Raises Switched.

    Whoever holds rows of the graph already must not call it: switching over waits for those.
    """
    held = "SELECT 1 FROM ingestion_vectorspace WHERE id = %s AND status = 'current' FOR KEY SHARE"
    if not rows(held, space.pk):
        raise Switched
