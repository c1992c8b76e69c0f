"""What introductions keep of documents, for the registry of derived data."""

from collections.abc import Mapping

from answering.suggestions.introducing import forget, is_of_any
from answering.suggestions.tasks import defer_introduction
from datasources.derived import Change, DerivedData, Subject
from datasources.models import Introduction


class Introductions(DerivedData):
    """A datasource's goes with it by its foreign key."""

    def apply(self, change: Change) -> None:
        """Delete questions and words of these documents; the job makes others from the rest."""
        forget(change.datasource_id, [*change.withdrawn, *change.without_chunks])
        if not change.more_follows:
            defer_introduction(change.datasource_id)

    def sweep(self, subject: Subject) -> None:
        if not subject.whole:
            forget(subject.datasource_id, subject.documents)

    def count(self, subject: Subject) -> Mapping[str, int]:
        made = Introduction.objects.filter(datasource=subject.datasource_id).first()
        gone = set(subject.documents)
        questions = [one for one in made.questions if is_of_any(one, gone)] if made else []
        return {
            "suggested_questions": len(questions),
            "descriptions": int(bool(made and made.description and gone.intersection(made.documents))),
        }
