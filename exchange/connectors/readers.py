"""Who may read a file at its source, and who can read the datasource: a file comes in only if everybody who
can read the datasource is among those who can read it there, and goes when that is no longer so.

People are recognised by the address that they have confirmed, groups by what an owner says that they stand
for, and whoever has given the key can read all that it reads.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import PeopleGroup, User
from datasources.audience import Audience, audience_of
from datasources.models import Datasource, Document, DocumentStatus
from exchange.connectors.going import DELETED, earlier, going
from exchange.connectors.kinds.registry import TELLING_READERS
from exchange.connectors.models import Connector, Counterpart, FollowedFile, refused_with
from exchange.connectors.sources.readers import EVERYBODY, in_both, keys_of_address
from exchange.connectors.sources.source import Entry, Withheld
from ingestion.lifecycle.deletion import delete_documents
from localization.stored import said

MOST_COUNTERPARTS = 500  # of a connector; what stands for nobody here beyond them can't be named


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """For one connector, as things are. counterparts: the keys by which the source names a group here."""

    audience: Audience
    key_of: int | None
    counterparts: Mapping[int, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Connector) -> Self:
        keys: dict[int, set[str]] = defaultdict(set)
        for group, key in row.counterparts.filter(group__isnull=False).values_list("group", "key"):
            keys[group].add(key)
        datasource = Datasource.objects.select_related("matter").get(pk=row.datasource_id)
        return cls(
            audience=audience_of(datasource),
            key_of=row.key_of_id,
            counterparts={group: frozenset(each) for group, each in keys.items()},
        )

    def stranger(self, readers: Collection[str]) -> str:
        """Somebody who can read the datasource, but not what these readers can; "" where there is nobody."""
        named = set(readers)
        if EVERYBODY.key in named:
            return ""
        for person, address in self.audience.people.items():
            if person.pk != self.key_of and not (address and keys_of_address(address) & named):
                return person.email
        for address in sorted(self.audience.invited):
            if not keys_of_address(address) & named:
                return address
        for group, name in self.audience.groups.items():
            if not self.counterparts.get(group, frozenset()) & named:
                return name
        return ""


def why_withheld(stranger: str) -> str:
    """In English, as it is kept, also where a request of somebody with another language finds it."""
    with override("en"):
        return said("{reader} can read this datasource, but not this file where it lies.", reader=stranger)


def keys_of(entry: Entry) -> list[str] | None:
    """As a file's row keeps them; None where the source does not tell."""
    return None if entry.readers is None else sorted(each.key for each in entry.readers)


def judged(row: Connector, entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """The entries as they are followed: what may not come in has the reason as its refusal."""
    rule = Rule.of(row)
    found: dict[str, Entry] = {}
    for path, entry in entries.items():
        stranger = "" if entry.readers is None else rule.stranger([each.key for each in entry.readers])
        found[path] = replace(entry, refusal=why_withheld(stranger), is_withheld=True) if stranger else entry
    return found


def check(row: Connector, entry: Entry) -> None:
    """In the transaction that takes it, which holds the datasource: others may read it by now, or fewer of
    the source's groups may stand for one here. Raises Withheld.
    """
    if entry.readers is None:
        return
    if stranger := Rule.of(row).stranger([each.key for each in entry.readers]):
        raise Withheld(why_withheld(stranger))


def note_readers(row: Connector, entries: Mapping[str, Entry]) -> None:
    """What the source tells of the files that are known, and of whom it names. Within a transaction that
    holds the datasource. Until what has changed there is taken, those count who may read both: what is here
    was there before.
    """
    changed = []
    for file in row.files.filter(path__in=entries.keys()):
        entry = entries[file.path]
        named = keys_of(entry)
        if file.document_id and file.version != entry.version and None not in (named, file.readers):
            named = in_both(named or (), file.readers or ())
        if file.readers != named:
            file.readers = named
            changed.append(file)
    FollowedFile.objects.bulk_update(changed, ["readers"], batch_size=500)
    _note_counterparts(row, entries.values())


def _note_counterparts(row: Connector, entries: Iterable[Entry]) -> None:
    named = [reader for entry in entries for reader in entry.readers or () if reader.is_named]
    files, name_of = Counter(reader.key for reader in named), {reader.key: reader.name for reader in named}
    known = {each.key: each for each in row.counterparts.all()}
    for key, counterpart in known.items():
        if key not in files and counterpart.group_id is None:
            counterpart.delete()
        elif counterpart.files != files[key] or counterpart.name != name_of.get(key, counterpart.name):
            counterpart.files, counterpart.name = files[key], name_of.get(key, counterpart.name)
            counterpart.save(update_fields=["files", "name"])
    most = [key for key, _ in files.most_common(MOST_COUNTERPARTS) if key not in known]
    Counterpart.objects.bulk_create(
        Counterpart(connector=row, key=key, name=name_of[key], files=files[key]) for key in most
    )


def withdraw(row: Connector, *, is_wider: bool = False) -> None:
    """Delete what some can read here by now who can't read it at its source. Within a transaction that holds
    the datasource.

    A version that another one has replaced goes, too: its source no longer says who may read that one. Where
    more people come (is_wider), so does one that answers until the next is read, or because that is refused.
    """
    rule, held = Rule.of(row), defaultdict[str, list[FollowedFile]](list)
    for file in row.files.with_document():
        if stranger := rule.stranger(file.readers or ()):
            held[stranger].append(file)
    replaced = Document.objects.filter(pk__in=earlier(row))
    outdated = list[FollowedFile]()
    if is_wider:
        outdated += row.files.with_document().filter(is_withheld=False).exclude(refusal="")
    else:
        replaced = replaced.filter(status=DocumentStatus.SUPERSEDED)
    files = [file for each in held.values() for file in each]
    take_away(row, files + outdated, replaced.values_list("pk", flat=True))
    for stranger, each in held.items():
        why = refused_with(why_withheld(stranger))
        row.files.filter(pk__in=[file.pk for file in each]).update(**why, is_withheld=True)


def take_away(row: Connector, files: Sequence[FollowedFile], also: Iterable[int] = ()) -> None:
    """The documents that came with these files alone, and at once: nobody brings them back."""
    versions = {pk for each in going(row, files, DELETED).values() for pk in each}.union(also)
    delete_documents(row.datasource, versions, row.made_by, is_final=True)


def knows(person: User, row: Connector) -> bool:
    """Whether the person can read there what is read for the connector. Others learn of what is withheld
    from them only how much it is.
    """
    return row.key_of_id == person.pk


@transaction.atomic
def stand_for(row: Connector, groups: Mapping[int, PeopleGroup | None], *, by: User) -> None:
    """Whoever gave the key says which group here each of these counterparts is, by their numbers: another
    owner would open to themselves what they can't read there. What becomes too wide by that goes at once; the
    rest is seen by the next look. Raises ValidationError.
    """
    if not knows(by, row):
        raise ValidationError(
            _("Only whoever gave the key can say that. Nothing was saved."), code="not_yours"
        )
    list(Datasource.objects.select_for_update(no_key=True).filter(pk=row.datasource_id))
    counterparts = list(row.counterparts.filter(pk__in=groups))
    if len(counterparts) != len(groups):
        raise ValidationError(_("The source no longer names one of these. Nothing was saved."), code="gone")
    for counterpart in counterparts:
        counterpart.group = groups[counterpart.pk]
        counterpart.save(update_fields=["group"])
    withdraw(row)


def follow_audience(datasources: Collection[int]) -> None:
    """More people can read these: what is too wide by that goes, in the transaction in which they come."""
    rows = Connector.objects.filter(datasource__in=datasources, kind__in=TELLING_READERS).order_by()
    if not (found := list(rows.select_related("datasource", "made_by"))):
        return
    locked = Datasource.objects.filter(pk__in={row.datasource_id for row in found}).order_by("pk")
    list(locked.select_for_update(no_key=True))
    for row in found:
        withdraw(row, is_wider=True)
