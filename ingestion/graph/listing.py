"""Which entities, relations and mentions a list shows, and how many there are."""

from collections.abc import Sequence

from ingestion.graph.link import rows


def entities_per_document(ids: Sequence[int]) -> dict[int, int]:
    """How many things each of these documents names; what is hidden does not count."""
    if not ids:
        return {}
    return dict(
        rows(
            "SELECT m.document_id, count(DISTINCT n.entity_id) FROM ("
            "  SELECT DISTINCT document_id, named_id FROM ingestion_entitymention"
            "  WHERE document_id = ANY(%s) AND live) m"
            " JOIN ingestion_entityname n ON n.id = m.named_id"
            " JOIN ingestion_entity e ON e.id = n.entity_id AND NOT e.hidden GROUP BY 1",
            list(ids),
        )
    )
