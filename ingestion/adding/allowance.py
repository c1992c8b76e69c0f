"""Whether an upload is allowed now: capacity of the datasource, and the person's quotas of an hour."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accounts import quotas
from accounts.models import UsageKind
from datasources.capacity import check_capacity, use_capacity
from datasources.models import Datasource

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One file of so many bytes, which counts for the person; None counts for nobody."""

    person: "User | None"
    size: int

    def check(self, datasource: Datasource, *, documents: int) -> None:
        """Before anything is stored. Raises ValidationError, of which QuotaUsedUp is one."""
        check_capacity(datasource, documents=documents, size=self.size)
        if self.person:
            quotas.check(self.person, self._amounts())

    def count(self, datasource: Datasource, *, documents: int) -> None:
        """Within the transaction that has stored it, and late in it: other uploads wait until it ends.

        The datasource is locked before the person, as wherever both are. Raises ValidationError when another
        was quicker.
        """
        use_capacity(datasource, documents=documents, size=self.size)
        if self.person:
            quotas.use(self.person, self._amounts())

    def _amounts(self) -> dict[UsageKind, int]:
        return {UsageKind.DOCUMENTS: 1, UsageKind.BYTES: self.size}
