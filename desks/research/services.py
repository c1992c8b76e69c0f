"""What people do with imports of papers: start, pause, go on, cancel."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from datasources.models import Datasource
from desks.research.arxiv_api.bibliography import Listed
from desks.research.arxiv_api.identifiers import ArxivId
from desks.research.models import ImportedPaper, ImportStatus, ItemStatus, PaperImport
from graph.models import GraphSettings
from graph.values.ontology import Ontology
from jobs.cancel import cancel_on_commit
from jobs.models import REQUEUED

if TYPE_CHECKING:
    from accounts.models import User

MOST = 500  # papers of one import: half an hour at arXiv's pace


def defer_import(row: PaperImport, seconds: int = 0) -> int:
    """Queue its job, for so many seconds from now; joins the caller's transaction, gives the job's id."""
    task = app.configure_task(
        "import_papers",
        allow_unknown=False,
        lock=f"paper_import:{row.pk}",
        schedule_in={"seconds": seconds} if seconds else None,
    )
    return task.defer(import_id=row.pk, lane=lane_of(row.datasource_id, row.asked_by_id).place())


def start_import(
    datasource: Datasource, person: "User", papers: Sequence[Listed | ArxivId], *, queued: bool = True
) -> PaperImport:
    """Fetch these papers; what is not at arXiv is listed. The caller has checked the right to edit.

    With `queued=False` the caller carries it on itself. Raises ValidationError.
    """
    listed = [each if isinstance(each, Listed) else Listed(title="", id=each) for each in papers]
    once = {(each.id.number if each.id else each.title): each for each in reversed(listed)}
    listed = [each for each in listed if once.get(each.id.number if each.id else each.title) is each]
    if not any(each.id for each in listed):
        raise ValidationError(_("None of these is a paper at arXiv. Nothing was imported."), code="no_papers")
    if len(listed) > MOST:
        raise ValidationError(
            _("At most {most} papers at once. Choose fewer.").format(most=MOST), code="many_papers"
        )
    with transaction.atomic():
        prepare_graph(datasource)
        row = PaperImport.objects.create(datasource=datasource, asked_by=person)
        ImportedPaper.objects.bulk_create(_item(row, place, each) for place, each in enumerate(listed))
        if queued:
            row.write(job_id=defer_import(row))
    return row


def _item(row: PaperImport, position: int, listed: Listed) -> ImportedPaper:
    if listed.id is None:
        return ImportedPaper(
            paper_import=row,
            position=position,
            title=listed.title,
            status=ItemStatus.LISTED,
            message=gettext_noop("The entry names no paper at arXiv."),
        )
    return ImportedPaper(
        paper_import=row,
        position=position,
        number=listed.id.number,
        version=listed.id.version,
        title=listed.title,
    )


def prepare_graph(datasource: Datasource) -> None:
    """A datasource that begins with papers is read with the types of research, unless somebody has chosen."""
    if not datasource.documents.exists():
        GraphSettings.objects.get_or_create(datasource=datasource, defaults={"ontology": Ontology.RESEARCH})


def pause(row: PaperImport) -> bool:
    """Let it wait; what is downloaded stays. False when it is not under way."""
    return _end(row, PaperImport.unfinished, ImportStatus.PAUSED)


def cancel(row: PaperImport) -> bool:
    """End it; what is imported stays. False when it has ended already."""
    return _end(row, (*PaperImport.unfinished, ImportStatus.PAUSED), ImportStatus.STOPPED)


def _end(row: PaperImport, before: Sequence[str], status: ImportStatus) -> bool:
    with transaction.atomic():
        locked = PaperImport.objects.select_for_update().get(pk=row.pk)
        if locked.status not in before:
            return False
        locked.write(status=status, run_token=None, finished=timezone.now())
        locked.imported_papers.filter(status=ItemStatus.DOWNLOADING).update(
            status=ItemStatus.WAITING, size_done=0
        )
        cancel_on_commit(locked.job_id)
    return True


def go_on(row: PaperImport) -> None:
    """Fetch what is left, and what failed once more. Raises ValidationError when nothing is."""
    with transaction.atomic():
        locked = PaperImport.objects.select_for_update().get(pk=row.pk)
        if locked.is_unfinished:
            raise ValidationError(_("This import is under way already."), code="unfinished")
        again = {"status": ItemStatus.WAITING, "message": "", "size_done": 0, "tries": 0}
        left = locked.imported_papers.filter(status__in=[ItemStatus.FAILED, ItemStatus.WAITING])
        if not left.update(**again):
            raise ValidationError(_("Nothing is left to fetch in this import."), code="finished")
        locked.write(**REQUEUED, status=ImportStatus.QUEUED, finished=None)
        locked.write(job_id=defer_import(locked))
