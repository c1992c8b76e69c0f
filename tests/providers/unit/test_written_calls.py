"""Tool calls that a model has written into its text are understood; an answer that speaks of one is none."""

import json

import pytest

from providers.openai.written_calls import written_calls
from providers.protocols import ToolSpec

TOOLS = [ToolSpec(name=name, description="", parameters={"type": "object"}) for name in ("search", "answer")]
ASKED = {"words": "notice period"}
BARE = json.dumps({"name": "search", "arguments": ASKED})

SHAPES = {
    "bare": BARE,
    "fenced": f"```json\n{BARE}\n```",
    "fenced behind a sentence": f"I will search for that.\n```json\n{BARE}\n```",
    "Qwen and Hermes": f"<tool_call>\n{BARE}\n</tool_call>",
    "Qwen, in tags": "<tool_call>\n<function=search>\n<parameter=words>\nnotice period\n</parameter>\n"
    "</function>\n</tool_call>",
    "Llama": json.dumps({"name": "search", "parameters": ASKED}),
    "Llama, with its tag": f"<|python_tag|>{json.dumps({'name': 'search', 'parameters': ASKED})}",
    "Llama, as a function": f"<function=search>{json.dumps(ASKED)}</function>",
    "Llama, as Python": '[search(words="notice period")]',
    "Mistral": f"[TOOL_CALLS][{BARE}]",
    "Mistral, the name first": f"[TOOL_CALLS]search[ARGS]{json.dumps(ASKED)}",
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n"
    f"{json.dumps(ASKED)}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "DeepSeek, newer": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{json.dumps(ASKED)}"
    "<｜tool▁call▁end｜>",
    "OpenAI's frame": json.dumps(
        {"tool_calls": [{"type": "function", "function": {"name": "search", "arguments": json.dumps(ASKED)}}]}
    ),
    "the name as the key": json.dumps({"search": ASKED}),
    "ReAct": json.dumps({"action": "search", "action_input": ASKED}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_a_call(shape: str) -> None:
    calls = written_calls(SHAPES[shape], TOOLS)
    assert [(call.name, json.loads(call.arguments)) for call in calls] == [("search", ASKED)]


def test_several_calls_keep_their_order_and_have_ids_of_their_own() -> None:
    other = json.dumps({"name": "search", "arguments": {"words": "rent"}})
    calls = written_calls(f"<tool_call>{BARE}</tool_call>\n<tool_call>{other}</tool_call>", TOOLS)
    assert [json.loads(call.arguments)["words"] for call in calls] == ["notice period", "rent"]
    assert len({call.id for call in calls}) == 2


def test_an_answer_without_its_frame_and_one_that_was_cut_off() -> None:
    unframed = '{"found": "all", "answer": "Sixty days /citation[c1, on sixty (60) days\' notice]."}'
    assert [call.name for call in written_calls(unframed, TOOLS)] == ["answer"]
    cut = '```json\n{"name": "answer", "arguments": {"found": "all", "answer": "Sixty days'
    (call,) = written_calls(cut, TOOLS)
    assert json.loads(call.arguments)["answer"] == "Sixty days"


def test_a_line_break_within_a_string_is_forgiven() -> None:
    (call,) = written_calls('{"name": "answer", "arguments": {"answer": "One.\nTwo."}}', TOOLS)
    assert json.loads(call.arguments)["answer"] == "One.\nTwo."


@pytest.mark.parametrize(
    "text",
    [
        "The notice period is sixty days.",
        f"Sixty days /citation[c1, sixty days]. The document says: {BARE}",
        f"{'The contract is long. ' * 30}{BARE}",
        '{"name": "delete_everything", "arguments": {}}',
        '{"name": "Anna", "arguments": "none"}',
        "{" * 5000,
        "[" * 5000,
    ],
)
def test_what_is_no_call(text: str) -> None:
    assert written_calls(text, TOOLS) == ()
