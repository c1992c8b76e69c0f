"""What the model reads before a round: instructions, conversation, question, calls and their results."""

from pathlib import Path

from chat.answering.question.intent import tone
from chat.answering.stages.stage import CallResult, Work
from citations.parse import without_tags
from providers.protocols import Message
from text.languages import language_of_question, name_of_language
from text.prompt import render

ANSWER_SHARE = 4  # a quarter of the context window is left for the answer,
LONGEST_ANSWER = 4_000  # or so many tokens, where a quarter is more
PROMPTS = Path(__file__).parent.parent / "prompts"
PROMPT, THIS = PROMPTS / "agent.md", PROMPTS / "this_question.md"
ASKED = PROMPTS / "instructions.md"


def room_for_answer(window: int) -> int:
    """Tokens of a model's window that are left for the answer."""
    return min(window // ANSWER_SHARE, LONGEST_ANSWER)


def messages(work: Work) -> list[Message]:
    """In order, and what varies last: a server keeps what it has read of a beginning that does not change. A
    passage stands where it was found first; other results name it by its key.
    """
    told = [Message(role="system", content=render(PROMPT)), *work.history]
    told.append(Message(role="user", content=_question(work)))
    shown: set[int] = set()
    for said in work.said:
        if isinstance(said, Message):
            told.append(said)
        elif work.model.plans_here:
            told.append(_result(said, work.tools.content(said.result)))
        else:
            told.append(_result(said, work.tools.content(said.result, only=work.passages, shown=shown)))
    return told


def _question(work: Work) -> str:
    """As asked; also in full where a model has rephrased it; then how it is to be answered. Code that plans
    searches reads what was asked itself.
    """
    if work.model.plans_here:
        return work.sought or work.question
    asked = work.question
    if work.rephrased and work.standalone != work.question:
        asked = f"{asked}\n\n(In full: {work.standalone})"
    language = name_of_language(language_of_question(work.question)) or "the language of the question"
    manner = work.manner or tone(work.intent)
    told = render(THIS, question=asked, rounds=work.most_rounds, tone=manner, language=language)
    if work.instructions:
        told += f"\n{render(ASKED, instructions=without_tags(work.instructions))}"
    return told


def _result(said: CallResult, content: str) -> Message:
    return Message(role="tool", tool_call_id=said.call.id, content=content)
