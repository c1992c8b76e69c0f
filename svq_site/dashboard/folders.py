"""What is shown of matters in a list: how much is in each of them, and who sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from accounts.models import User
from datasources.counts import NO_DOCUMENTS, DocumentCounts, counts_by
from datasources.models import Datasource, Document, Matter, MatterQuerySet, MatterShare, Role

NAMED = 3  # datasources of a folder whose names are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """One matter in a list, with what its reader may see of it."""

    matter: Matter
    datasources: int
    names: list[str]
    counts: DocumentCounts
    people: int

    @property
    def further(self) -> int:
        """Datasources that are not named."""
        return self.datasources - len(self.names)


def with_words(words: str, matters: MatterQuerySet) -> MatterQuerySet:
    """Those with each word in their name, by name."""
    for word in words.split():
        matters = matters.filter(name__icontains=word)
    return matters.order_by("name", "pk")


def folders(person: User, matters: Sequence[Matter]) -> list[Folder]:
    """In that order. Everything is counted for all of them at once."""
    visible = Datasource.objects.visible_to(person, Role.ASKER).filter(matter__in=matters)
    names: dict[int, list[str]] = {}
    for matter, name in visible.order_by("name", "pk").values_list("matter", "name"):
        names.setdefault(matter, []).append(name)
    counts = counts_by("datasource__matter", Document.objects.filter(datasource__in=visible))
    shares = MatterShare.objects.filter(matter__in=matters).order_by()
    people = dict(shares.values_list("matter").annotate(Count("pk")))
    return [
        Folder(
            matter=each,
            datasources=len(names.get(each.pk, [])),
            names=names.get(each.pk, [])[:NAMED],
            counts=counts.get(each.pk, NO_DOCUMENTS),
            people=people.get(each.pk, 0),
        )
        for each in matters
    ]
