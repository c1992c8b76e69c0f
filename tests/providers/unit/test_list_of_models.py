"""What is said of a server that has no list of models can be kept, and told in other languages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from django.utils.translation import override

from localization.stored import told, words_of
from providers.openai import models
from providers.openai.models import NoList, offered


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (httpx.Response(404), "Der Server antwortet mit Status 404. "),
        (httpx.Response(200, json={}), "Der Server sendet keine Liste von Modellen. "),
    ],
)
def test_why_there_is_no_list(answer: httpx.Response, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def client(**options: Any) -> Iterator[httpx.Client]:
        with httpx.Client(transport=httpx.MockTransport(lambda request: answer)) as made:
            yield made

    monkeypatch.setattr(models, "sync_client", client)
    with pytest.raises(NoList) as refused:
        offered("http://127.0.0.1", "", 5)
    text = refused.value.message
    with override("de"):
        in_german = told(text, words_of(text))
    assert in_german.startswith(shown)
    assert "/v1" in in_german
