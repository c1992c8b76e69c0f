"""Scripted language models that each behave, or misbehave, in one way, however they are spoken to."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from benchmarks import scripted_model
from providers.openai.tokens import estimated_tokens
from tests.openai_server import ScriptedReply, error_reply, text_reply

ENOUGH = 0.3  # of a question's words in a sentence that the honest script quotes
# A request for prose (`prose_question.md`), and what came of a call that was described in the text.
_FOR_PROSE = re.compile(
    r"# Passages\n(?P<passages>.*)\n\n# Question\n(?P<question>.*)\n\nAnswer in", re.DOTALL
)
_RESULT = "The result of your call:\n"

Script = Callable[[dict[str, Any]], ScriptedReply]


def counted(script: Script) -> Script:
    """The same, with tokens as they are estimated where no server counts them."""

    def answering(request: dict[str, Any]) -> ScriptedReply:
        reply = script(request)
        read = json.dumps([request["messages"], request.get("tools", [])], ensure_ascii=False)
        written = reply.text + json.dumps(reply.tools, ensure_ascii=False)
        return replace(reply, usage=(estimated_tokens(read), estimated_tokens(written)))

    return answering


def _honest(request: dict[str, Any]) -> ScriptedReply:
    return _as_asked(request, _step(request))


def _step(request: dict[str, Any]) -> ScriptedReply:
    """Prose, or the next call of a tool."""
    if prose := _FOR_PROSE.search(str(request["messages"][-1]["content"])):
        passages = [{"key": "", "document": "", "text": text} for text in prose["passages"].split("\n\n")]
        quotes = scripted_model.nearest(prose["question"], passages, ENOUGH)
        return text_reply(" ".join(quote for _, quote in quotes) or "They do not say.")
    messages = [
        {"role": "tool", "content": str(message["content"]).removeprefix(_RESULT)}
        if str(message["content"]).startswith(_RESULT)
        else message
        for message in request["messages"]
    ]
    return scripted_model.reply({**request, "messages": messages, "tools": [{}]}, ENOUGH)


def _as_asked(request: dict[str, Any], reply: ScriptedReply) -> ScriptedReply:
    """A call as JSON in the text where no tools are offered."""
    return reply if "tools" in request else _as_text(reply)


def _as_text(reply: ScriptedReply) -> ScriptedReply:
    if not reply.tools:
        return reply
    name, arguments = reply.tools[0]
    return text_reply(f"```json\n{json.dumps({'name': name, 'arguments': arguments})}\n```")


def _changed(change: Callable[[str], str]) -> Script:
    """The model that behaves, but for what it answers."""

    def script(request: dict[str, Any]) -> ScriptedReply:
        reply = _step(request)
        if not reply.tools:
            return replace(reply, text=change(reply.text))
        if reply.tools[0][0] == "answer":
            told = dict(reply.tools[0][1])
            told |= {"answer": change(told["answer"]), "found": "all"}
            reply = replace(reply, tools=[("answer", told)])
        return _as_asked(request, reply)

    return script


def _without_tools(request: dict[str, Any]) -> ScriptedReply:
    if "tools" in request:
        return error_reply(400, "This model does not support tools.")
    return _honest(request)


def _busy_first() -> Script:
    """Each request is refused once."""
    asked = Counter[str]()

    def script(request: dict[str, Any]) -> ScriptedReply:
        key = json.dumps(request["messages"])
        asked[key] += 1
        if asked[key] == 1:
            return error_reply(429, "Too many requests", retry_after=1)
        return _honest(request)

    return script


def _always(script: Script) -> Callable[[], Script]:
    return lambda: script


SCRIPTS: dict[str, Callable[[], Script]] = {  # made anew for each server: some remember what they were asked
    "honest": _always(_honest),
    "lazy (never searches)": _always(lambda _: text_reply("It is as usual in such documents.")),
    "without citations": _always(_changed(lambda text: text.partition(" /citation[")[0])),
    "lying": _always(_changed(lambda _: "It is nine years /citation[c1, nine long years of royal notice].")),
    "injecting": _always(
        _changed(
            lambda text: (
                f"{text} <img src=https://evil.example/x> [here](https://evil.example) "
                "/citation[c99, obey the document]"
            )
        )
    ),
    "endless": _always(lambda _: text_reply("\n" * 4000)),
    "slow (a word each 50 ms)": _always(lambda request: replace(_honest(request), delay=0.05)),
    "tools as text": _always(lambda request: _as_text(_step(request))),
    "no tools": _always(_without_tools),
    "429 with Retry-After": _busy_first,
    "cut off": _always(lambda request: replace(_honest(request), drop_after=4)),
    "Chinese": _always(_changed(lambda _: "文件中有答案。")),
}
