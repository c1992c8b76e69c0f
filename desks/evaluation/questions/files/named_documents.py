"""The documents that a file of questions names: by title, by file name, or by a pattern such as *AAPL*."""

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from django.utils.translation import gettext as _

from datasources.models import Datasource
from desks.evaluation.questions.answer_pages import AnswerPages
from desks.evaluation.questions.draft import Proof
from desks.evaluation.questions.files.rows import number_of, wrong

MOST_PATTERNS = 200  # different ones in a file: each is held against every document
LONGEST_NAME = 300  # characters of a document's title or file name, or of a pattern


class NamedDocuments:
    """Those of a datasource; each pattern is looked up once."""

    def __init__(self, datasource: Datasource) -> None:
        rows = datasource.documents.current().order_by("pk").values_list("pk", "title", "filename")
        self._known = [
            (pk, title, {title.lower(), name.lower(), _stem(name.lower())}) for pk, title, name in rows
        ]
        self._by_name = {name: (pk, title) for pk, title, names in reversed(self._known) for name in names}
        self._by_pattern: dict[str, list[tuple[int, str]]] = {}
        self._pages = AnswerPages()

    def proofs(self, each: Mapping[str, Any], piece: int) -> list[Proof]:
        """One for a document that is named; for a pattern, each document is a piece of its own."""
        written = str(each.get("document") or "").strip()
        quote = str(each.get("quote") or "").strip()
        named = self._matching(written)
        is_pattern = len(named) > 1
        return [
            Proof(
                document_id=pk,
                title=title,
                quote=quote,
                page=number_of(each.get("page")),
                piece=piece + place if is_pattern else piece,
            )
            for place, (pk, title) in enumerate(named)
        ] or self._unknown(written, quote, piece)

    def on_pages(self, proof: Proof, answer: str) -> list[Proof]:
        """Where a document alone is named, the pages that have the figures of the answer; any of them will
        do.
        """
        if proof.quote or proof.page is not None or proof.document_id is None:
            return [proof]
        pages = self._pages.of(proof.document_id, answer)
        return [replace(proof, page=page) for page in pages] or [proof]

    @staticmethod
    def _unknown(written: str, quote: str, piece: int) -> list[Proof]:
        """It is kept, and stale until there is such a document."""
        return [Proof(document_id=None, title=written[:300], quote=quote, piece=piece)] if written else []

    def _matching(self, written: str) -> list[tuple[int, str]]:
        """Raises ValidationError."""
        told = written.lower()
        exact = self._by_name.get(told) or self._by_name.get(_stem(told))
        if exact or len(told) > LONGEST_NAME or not any(sign in told for sign in "*?"):
            return [exact] if exact else []
        if told not in self._by_pattern:
            if len(self._by_pattern) == MOST_PATTERNS:
                raise wrong(
                    _("The file has more than {most_patterns} different patterns with * or ?.").format(
                        most_patterns=MOST_PATTERNS
                    )
                )
            self._by_pattern[told] = [
                (pk, title)
                for pk, title, names in self._known
                if any(fnmatchcase(name, told) for name in names)
            ]
        return self._by_pattern[told]


def _stem(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return stem if dot and len(ending) <= 5 else name
