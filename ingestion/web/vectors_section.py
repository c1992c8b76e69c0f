"""What the settings page of a datasource says of its vectors: their model, and how they are searched."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from datasources.models import Datasource
from datasources.settings.panels import SettingsPanel
from ingestion.indexes import reembedding, vector_index
from ingestion.indexes.chunk_vectors import ChunkVectors
from ingestion.models import SpaceStatus, VectorSpace
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.roles import ModelRole, endpoint
from settings_pages.search import Place, Setting


class VectorsPanel(SettingsPanel):
    section, template, anchor = "models", "ingestion/_vectors.html", "vectors"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"vectors": state_of(datasource)}

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        about = _("The model that finds passages by meaning. Embeddings, change it, go back")
        return [place.setting(_("Vectors"), self.anchor, help=about)]


def state_of(datasource: Datasource) -> dict[str, Any]:
    """The template's context."""
    spaces = {space.status: space for space in datasource.vector_spaces.order_by("changed")}
    current = spaces.get(SpaceStatus.CURRENT)
    filling, kept = spaces.get(SpaceStatus.FILLING), spaces.get(SpaceStatus.KEPT)
    total = ChunkVectors().count(current) if current else 0
    server = endpoint(None, ModelRole.EMBEDDINGS)
    configured = server.model if server else LOCAL_EMBEDDER
    dimensions = {"dimensions": server.dimensions} if server and server.dimensions else {}
    may_change = bool(current and not filling and not reembedding.is_configured(current))
    return {
        "current": current,
        "total": total,
        "index_bytes": vector_index.size_of(current.pk) if current and current.indexed else 0,
        "waits_for_index": bool(
            current and not current.indexed and total > vector_index.scanned_exactly(current.dimensions)
        ),
        "filling": filling,
        "done": ChunkVectors().count(filling) if filling else 0,
        "failed": spaces.get(SpaceStatus.FAILED),
        "kept": kept,
        "kept_until": _kept_until(kept),
        "kept_days": reembedding.KEPT_FOR.days,
        "configured": configured,
        "may_change": may_change,
        "will_change": may_change
        and not reembedding.is_left_to_a_person(datasource, model=configured, **dimensions),
    }


def _kept_until(kept: VectorSpace | None) -> datetime | None:
    return kept.changed + reembedding.KEPT_FOR if kept else None
