"""What memos keep of documents, for the registry of derived data: they are people's words and stay, but for
personal data that the owner wants masked.
"""

from collections.abc import Mapping

from datasources.derived import DerivedData, Subject
from datasources.masking import mask_rows
from datasources.models import Datasource
from memos.models import Memo
from memos.services import MASKED_COLUMNS


class Memos(DerivedData):
    """Rows go with their datasource by foreign keys."""

    loss, loss_at_zero = "memos", False

    def mask(self, datasource_id: int) -> None:
        mask_rows(Memo.objects.filter(datasource=datasource_id), *MASKED_COLUMNS)

    def count(self, subject: Subject) -> Mapping[str, int]:
        if not subject.whole:
            return {}
        return {"memos": Memo.objects.filter(datasource=subject.datasource_id).count()}

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.memos.count()
