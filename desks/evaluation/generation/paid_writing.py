"""The model that writes questions, within the budget of an order; each reply is kept, and paid for once."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from asgiref.sync import async_to_sync
from django.db.models import F

from desks.evaluation.models import PaidWriting, QuestionSet
from providers.language_models import structured_model
from providers.protocols import Message, StructuredModel
from providers.roles import ModelRole
from providers.spending.allowance import Allowance
from providers.spending.metering import Payer
from providers.spending.models import Purpose


class PaidWriter:
    """Asks the model that a set's datasource has; `of` gives None where there is none."""

    def __init__(self, row: QuestionSet, model: StructuredModel, payer: Payer) -> None:
        self._row, self._model, self._payer = row, model, payer

    @classmethod
    def of(cls, row: QuestionSet) -> "PaidWriter | None":
        budget = row.ordered.get("token_budget")
        allowance = Allowance(tokens=max(1, budget - row.spent_tokens) if budget else 0)
        payer = Payer(
            person=row.made_by_id or row.datasource.owner_id,
            datasource=row.datasource_id,
            purpose=Purpose.EVALUATION,
            allowance=allowance,
        )
        model = structured_model(row.datasource, ModelRole.AGENT, payer)
        return cls(row, model, payer) if model else None

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        """Its answer. Raises ProviderError; OverLimit, one of them, where the budget has no room for it."""
        asked = json.dumps([self._model.name, list(messages), schema], sort_keys=True, default=asdict)
        key = hashlib.sha256(asked.encode()).hexdigest()
        if kept := PaidWriting.kept(key, question_set=self._row):
            return str(kept["answer"])
        before = self._payer.usage.tokens
        try:
            answer = async_to_sync(self._ask)(messages, schema)
        finally:  # a call that was broken off may have cost something too
            self._count(self._payer.usage.tokens - before)
        PaidWriting.keep(key, {"answer": answer}, question_set=self._row)
        return answer

    async def _ask(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        async with self._model as model:
            answer, _ = await model.complete(messages, schema)
        return answer

    def _count(self, tokens: int) -> None:
        rows = QuestionSet.objects.filter(pk=self._row.pk)
        rows.update(spent_tokens=F("spent_tokens") + tokens)
