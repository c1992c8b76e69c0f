"""`agent_action`, as programs of a paper assistant send it: questions about the papers of a session."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api import signed_in
from accounts.models import TokenScope, User
from chat import services as chat
from chat.api.numbered_sources import answer, answering
from chat.api.turns import accepted
from chat.api.waiting import Answer
from chat.models import Turn
from datasources.access import find_datasource
from datasources.models import Datasource, Role
from datasources.numbers import number_in
from desks.research.arxiv_api.identifiers import arxiv_id
from desks.research.models import Paper
from retrieval.api.errors import CompatibleView

MOST_CHOSEN = 500  # papers of a question


class ActionSerializer(serializers.Serializer[Any]):
    """`use_hybrid`, `use_reranking` and other fields are ignored: the datasource's settings decide."""

    action = serializers.ChoiceField(["chat"])
    query = serializers.CharField(max_length=chat.MAX_QUESTION)
    session_id = serializers.CharField(max_length=20)
    selected_papers = serializers.ListField(
        child=serializers.JSONField(), required=False, max_length=MOST_CHOSEN
    )


class AgentAction(CompatibleView):
    """A question about the papers of a session, or about some of them."""

    token_scope = TokenScope.ASK

    @extend_schema(exclude=True)
    def post(self, request: Request) -> HttpResponse:
        given = ActionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        session = number_in(asked["session_id"]) or 0
        datasource = find_datasource(signed_in(request), session, Role.ASKER, reads=True)
        chosen = _chosen(datasource, asked.get("selected_papers") or [])
        turn = chat.ask(signed_in(request), datasource, asked["query"], document_ids=chosen)
        return accepted(request, turn, wait=True)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return answering(super().as_view(**initkwargs), _response)


def _chosen(datasource: Datasource, selected: Sequence[Any]) -> list[int] | None:
    """The documents of these papers, given as numbers, links, or objects with an `id`; None for all. Raises
    ValidationError.
    """
    if not selected:
        return None
    given = [str(each.get("id", "") if isinstance(each, dict) else each)[:300] for each in selected]
    numbers = {text: named.number if (named := arxiv_id(text)) else "" for text in given}
    rows = Paper.objects.of(datasource).filter(number__in=numbers.values())
    found = dict(rows.values_list("number", "document"))
    if missing := [text for text, number in numbers.items() if number not in found]:
        raise ValidationError(
            f"“{missing[0]}” is no paper of this graph. Nothing was asked.", code="no_papers"
        )
    return list(found.values())


def _response(turn: Turn, reader: User) -> Answer:
    code, data = answer(turn, reader)
    return code, {**data, "response": data["answer"]} if "answer" in data else data
