"""The arguments of a call while they arrive: wherever they are cut, the answer grows to the same end."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from answering.state.reply import ReplyStream
from providers.protocols import Reply, TextDelta, ToolCall, ToolCallDelta, Usage
from text.normal_forms.storable import storable

WORDS = 'A "quoted" claim /citation[c1, “60 days”].\\n\n\t株式会社 🏴\u200d☠️ \u0000 é'


@settings(max_examples=40)
@given(
    answer=st.text(max_size=60),
    cuts=st.lists(st.integers(0, 400), max_size=30),
    escaped=st.booleans(),
    spread=st.booleans(),
)
@example(answer=WORDS, cuts=list(range(400)), escaped=True, spread=False)
@example(answer=WORDS, cuts=list(range(400)), escaped=False, spread=True)
def test_wherever_it_is_cut_the_answer_only_grows(
    answer: str, cuts: list[int], escaped: bool, spread: bool
) -> None:
    value = {"found": "some", "missing": "", "answer": answer}
    written = json.dumps(value, ensure_ascii=escaped, indent=2 if spread else None)
    edges = sorted({0, len(written), *(cut for cut in cuts if cut < len(written))})
    seen, reply = asyncio.run(read([written[start:end] for start, end in pairwise(edges)]))
    assert reply.answer.answer == storable(answer)
    assert reply.answer.found == "some"
    for before, after in pairwise([*seen, storable(answer)]):
        assert after.startswith(before)


async def read(pieces: Sequence[str]) -> tuple[list[str], ReplyStream]:
    """The text after each piece, and the reply at its end."""

    async def arriving() -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        for piece in pieces:
            yield ToolCallDelta(index=0, id="c", name="answer", arguments=piece)
        whole = ToolCall(id="c", name="answer", arguments="".join(pieces))
        yield Reply(content="", tool_calls=(whole,), usage=Usage())

    reply, seen = ReplyStream(arriving()), []
    while await reply.grow():
        seen.append(reply.text)
    return seen, reply
