"""The installed models that this process has loaded, and the errors if one cannot be loaded."""

from collections import OrderedDict
from threading import Lock

from localization.stored import said
from providers.local_models.errors import NotInstalled
from providers.local_models.graph import Graph
from providers.local_models.store import Installed
from providers.protocols import ProviderError

KEPT = 4  # two embedders while vectors change over, a reranker, a model of entailment

_loaded: OrderedDict[tuple[str, str], Graph] = OrderedDict()
_turn = Lock()


def loaded(model: Installed) -> Graph:
    """The model in memory; the least recently used ones are dropped. Raises ProviderError."""
    key = (str(model.folder), model.when)
    with _turn:
        if key not in _loaded:
            _loaded[key] = _load(model)
        _loaded.move_to_end(key)
        while len(_loaded) > KEPT:
            _loaded.popitem(last=False)
        return _loaded[key]


def _load(model: Installed) -> Graph:
    try:
        return Graph(model.folder, model.graph, model.configuration)
    except NotInstalled:
        raise
    except MemoryError as error:
        raise ProviderError(
            said(
                "{model} needs more memory than is allowed. Raise SVQ_WORKER_MEMORY_MB, or choose a smaller "
                "model.",
                model=model.identity,
            )
        ) from error
    except Exception as error:  # a damaged file raises whatever its reader raises
        raise ProviderError(
            said("{model} cannot be loaded: its files are damaged. Install it again.", model=model.identity)
        ) from error
