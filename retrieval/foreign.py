"""Notices a question in another language than all documents, for which only a search by meaning can work."""

from collections.abc import Collection

from ingestion.models import DocumentTerms
from retrieval.query import Scope
from text.languages import language_of_question


def foreign_language(scope: Scope, question: str, languages: Collection[str] | None = None) -> str:
    """The question's language (ISO 639-1) where the documents of the scope are all in others; else empty.

    languages: those of all documents of the datasource, where they are known; looked up if not.
    """
    language = language_of_question(question)
    if not language:
        return ""
    there = set(languages or ())
    if languages is None or scope.document_ids is not None:
        documents = DocumentTerms.objects.filter(datasource=scope.datasource_id)
        if scope.document_ids is not None:
            documents = documents.filter(document__in=scope.document_ids)
        there = set(documents.exclude(language="").values_list("language", flat=True).distinct())
    return language if there and language not in there else ""
