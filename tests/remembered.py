"""What the models that come with SVQ have said, for as long as a process of tests lives.

Hundreds of tests read the same few documents and ask the same questions, and running the models is most of
their work. The same texts together always have the same vectors and scores, so a model is run once for them.
Tests of a model itself load one of their own, which remembers nothing.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any

MOST = 4000  # answers, of a few hundred vectors at most
WRAPPED: set[str] = set()


def remember(module: str, model: str, method: str, shared: str) -> None:
    """From now on, if the module is loaded, the model that `loaded.<shared>()` gives is run once for each."""
    if module in WRAPPED or not (home := sys.modules.get(module)):
        return
    WRAPPED.add(module)
    owner: Any = getattr(home, model)
    setattr(owner, method, _once(getattr(owner, method), shared))


def _once(method: Callable[..., Any], shared: str) -> Callable[..., Any]:
    kept: OrderedDict[Hashable, Any] = OrderedDict()
    lock = Lock()

    @wraps(method)
    def answer(self: Any, *asked: Any) -> Any:
        from providers.minilm import loaded

        if self is not getattr(loaded, shared)():
            return method(self, *asked)
        key = tuple(each if isinstance(each, str) else tuple(each) for each in asked)
        with lock:
            said = kept.get(key)
        if said is None:
            said = method(self, *asked)
            with lock:
                kept[key] = said
                while len(kept) > MOST:
                    kept.popitem(last=False)
        return said.copy()

    return answer
