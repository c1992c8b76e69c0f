"""Tool calls that a model has written into its text: as JSON, fenced or bare, or between the marks with which
Qwen, Hermes, Llama, Mistral and DeepSeek were trained.
"""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic_core import from_json

from providers.protocols import ToolCall, ToolSpec

LONGEST_PREFACE = 400  # characters of prose before a call; behind more it is an example within an answer
MOST = 200  # calls
_DECODER = json.JSONDecoder(strict=False)  # a line break within a string is an everyday mistake
_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input", "params")
# A name in front of its arguments: <function=search>{, [TOOL_CALLS]search[ARGS]{, …sep｜>search ```json {
_NAMED_BEFORE = re.compile(r"[=\]>｜](?P<name>[\w.-]+)(?:>|\[ARGS\]|<｜tool▁sep｜>|\s*```(?:json)?\s*|\s)*$")
_TAGGED = re.compile(r"<function=(?P<name>[\w.-]+)>(?P<body>.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=(?P<key>\w+)>\n?(?P<value>.*?)\n?</parameter>", re.DOTALL)
_PYTHONIC = re.compile(
    r"^(?:<\|python_start\|>)?\s*(\[\s*\w+\(.*\)\s*\])\s*(?:<\|python_end\|>)?$", re.DOTALL
)
_OPENING = re.compile(r"\{|\[\s*\{")  # of an object, or of a list of objects
_PROOF = re.compile(r"[/\\]citation\s?\[", re.IGNORECASE)


def written_calls(text: str, tools: Sequence[ToolSpec]) -> tuple[ToolCall, ...]:
    """The calls of these tools in a reply's text; none where it is an answer that only speaks of one."""
    names = {tool.name for tool in tools}
    found = list(_calls(text, names))[:MOST]
    return tuple(
        ToolCall(id=f"written_{number}", name=name, arguments=_as_json(arguments))
        for number, (name, arguments) in enumerate(found)
    )


def _calls(text: str, names: set[str]) -> Iterator[tuple[str, Any]]:
    if tagged := [each for each in _tagged(text) if each[0] in names]:
        yield from tagged
        return
    if pythonic := _PYTHONIC.match(text.strip()):
        yield from (each for each in _python(pythonic[1]) if each[0] in names)
        return
    begun = False
    for start, value in _values(text):
        before = text[:start]
        named = _NAMED_BEFORE.search(before[-120:])
        if not begun and (len(before) > LONGEST_PREFACE or _PROOF.search(before)):
            return
        if named and named["name"] in names and isinstance(value, dict) and not _call(value, names):
            calls = [(named["name"], value)]
        else:
            calls = list(_each(value, names))
        begun = begun or bool(calls)
        yield from calls


def _each(value: Any, names: set[str]) -> Iterator[tuple[str, Any]]:
    """The calls in a value: one, a list of them, or OpenAI's own frame."""
    if isinstance(value, list):
        for each in value:
            yield from _each(each, names)
    elif isinstance(value, dict):
        if isinstance(value.get("tool_calls"), list):
            yield from _each(value["tool_calls"], names)
        elif call := _call(value, names):
            yield call


def _call(value: dict[str, Any], names: set[str]) -> tuple[str, Any] | None:
    if isinstance(inner := value.get("function"), dict):
        return _call(inner, names)
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    if name in names:
        arguments: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
        return (name, arguments) if isinstance(arguments, dict | str) else None
    if len(value) == 1 and (only := next(iter(value))) in names and isinstance(value[only], dict):
        return only, value[only]  # {"search": {"words": "rent"}}
    if name is None and "answer" in names and isinstance(value.get("answer"), str):
        return "answer", value  # the arguments of the call by which a model answers, without its name
    return None


def _values(text: str) -> Iterator[tuple[int, Any]]:
    """The JSON objects and lists of objects in a text, where each begins; the last may have been cut off."""
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            if '"' in text[start : start + 4] and not text.rstrip().endswith("}"):
                yield start, _cut(text[start:])
                return
            at = start + 1
            continue
        yield start, value


def _cut(text: str) -> Any:
    """What can be read of JSON that was cut off."""
    try:
        return from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return None


def _tagged(text: str) -> Iterator[tuple[str, Any]]:
    """<function=search><parameter=words>rent</parameter></function>"""
    for block in _TAGGED.finditer(text):
        if parameters := {each["key"]: _value(each["value"]) for each in _PARAMETER.finditer(block["body"])}:
            yield block["name"], parameters


def _value(text: str) -> Any:
    """A parameter that is no text is written as JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, str | float) else value


def _python(text: str) -> Iterator[tuple[str, Any]]:
    """[search(words="rent"), search(words="notice")]"""
    try:
        calls = ast.parse(text, mode="eval").body
        for call in getattr(calls, "elts", []):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                yield (
                    call.func.id,
                    {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg},
                )
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return


def _as_json(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
