"""Questions that a scripted model answers, with the outside tools of the datasource."""

import asyncio
from typing import Any

from accounts.models import User
from answering.models import Models
from chat import services as chat
from chat.models import Turn
from chat.turns.run import run_turn
from datasources.models import Datasource
from providers.embedders import embedder
from providers.openai.chat import OpenAIChat
from tests.openai_server import ScriptedOpenAI, tools_reply

QUOTE = "Interest is due on the first of May at the agreed rate"


def ask(person: User, datasource: Datasource, *replies: Any) -> tuple[Turn, list[dict[str, Any]]]:
    turn = chat.ask(person, datasource, "What is the rate?", queued=False)
    with ScriptedOpenAI(list(replies)) as server:
        model = OpenAIChat(server.base_url, "k", "scripted")
        asyncio.run(run_turn(turn.pk, Models(answers=model, embedder=embedder())))
    turn.refresh_from_db()
    return turn, server.requests


def written(text: str) -> Any:
    return tools_reply(("answer", {"found": "all", "answer": text}))
