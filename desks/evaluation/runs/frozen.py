"""The settings that a run keeps: what decided how it answered, as it was then."""

from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from typing import Any

from django.forms.models import model_to_dict

from answering.models import answer_model, quotes_model
from answering.values.personal_data import PersonalData
from answering.values.settings import Settings
from chat.models import AnswerSettings
from datasources.masking import masked
from datasources.models import Chunking, Datasource
from desks.evaluation.models import Run
from desks.evaluation.runs.variants import Variant
from ingestion.chunks.cutting import Cutting
from ingestion.models import Chunk
from providers.embedders import embedder
from providers.language_models import chat_at, playing, structured_model
from providers.protocols import ChatModel, Embedder, StructuredModel
from providers.roles import Endpoint, ModelRole, endpoint
from providers.spending.metering import Payer
from providers.spending.models import Purpose
from providers.spending.prices import Prices


def frozen(datasource: Datasource, variant: Variant, judge: str, person: int) -> dict[str, Any]:
    server = None if variant.keyless else endpoint(datasource, ModelRole.AGENT)
    documents = datasource.documents.ready()
    model, words = model_of(datasource, variant, payer_of(datasource, person)), embedder(datasource)
    return {
        "mode": variant.mode,
        "answers": variant.answers,
        "graph": variant.graph and datasource.entities.exists(),
        "legs": sorted(variant.searched_legs),
        "fusion": str(variant.fusion),
        "alpha": variant.alpha,
        "near": variant.near,
        "rerank": str(variant.rerank),
        "model": model.name,
        "quotes_only": model.quotes_only,
        "stages": _stages(datasource),
        "embedder": words.name,
        "judge": judge,
        "chunking": asdict(variant.cutting(datasource)),
        "documents": documents.count(),
        "chunks": None if variant.chunking else _chunks(datasource),
        "prices": _prices(server),
        "judge_prices": _prices(endpoint(datasource, ModelRole.JUDGE) if judge else None),
    }


def _chunks(datasource: Datasource) -> int:
    return Chunk.objects.filter(datasource=datasource).searchable().count()


def cutting_of(settings: dict[str, Any]) -> Cutting:
    """How documents are cut, by the settings of a run."""
    told = settings["chunking"]
    return Cutting(kind=Chunking(told["kind"]), size=told["size"], overlap=told["overlap"])


def _prices(server: Endpoint | None) -> dict[str, str]:
    return (server.prices if server else Prices()).as_json()


def _stages(datasource: Datasource) -> dict[str, Any]:
    """The settings of answering: which of its stages are on."""
    return model_to_dict(AnswerSettings.objects.of(datasource), exclude=["datasource"])


def answer_settings(row: Run) -> Settings:
    """As they were when the run began; but personal data is also masked where that is wanted only since."""
    names = {each.name for each in fields(Settings)}
    stages = {name: value for name, value in row.frozen["stages"].items() if name in names}
    if masked([row.datasource_id]):
        stages["personal_data"] = str(PersonalData.MASK)
    return Settings(**stages)


def helper_of(datasource: Datasource, payer: Payer) -> StructuredModel | None:
    """The model for small questions about a question; one for each that is answered at the same time."""
    return structured_model(datasource, ModelRole.AGENT, payer)


def roles_asked(variants: Iterable[Variant], *, judged: bool) -> list[ModelRole]:
    """By such runs."""
    asked = [ModelRole.AGENT] if any(each.asks_model for each in variants) else []
    return [*asked, ModelRole.JUDGE] if judged else asked


def prices_of(settings: dict[str, Any], name: str = "prices") -> Prices:
    return Prices.of_json(settings[name])


def model_of(datasource: Datasource, variant: Variant, payer: Payer) -> ChatModel:
    """The variant's own, charged to the payer; a model that it names is asked of the server that is set."""
    if variant.keyless:
        return quotes_model()
    server = playing(datasource, ModelRole.AGENT) if variant.model else None
    if server is None:
        return answer_model(datasource, payer)
    return chat_at(replace(server, model=variant.model), payer)


def payer_of(datasource: Datasource, person: int) -> Payer:
    return Payer(person=person, datasource=datasource.pk, purpose=Purpose.EVALUATION)


def embedder_of(datasource: Datasource) -> Embedder:
    return embedder(datasource)
