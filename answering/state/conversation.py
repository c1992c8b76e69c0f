"""What the model reads before a round: instructions, conversation, question, calls and their results."""

from pathlib import Path

from answering.question.intent import tone
from answering.state.work import CallResult, Work
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
    history = () if work.rounds.history_left_out else work.asked.history
    told = [Message(role="system", content=render(PROMPT)), *history]
    told.append(Message(role="user", content=_question(work)))
    tools, texts, shown = work.means.tools, work.passages.texts, set[int]()
    for said in work.rounds.said:
        if isinstance(said, Message):
            told.append(said)
        elif work.means.model.plans_here:
            told.append(_result(said, tools.content(said.result)))
        else:
            told.append(_result(said, tools.content(said.result, only=texts, shown=shown)))
    return told


def _question(work: Work) -> str:
    """As asked; also in full where a model has rephrased it; then how it is to be answered. Code that plans
    searches reads what was asked itself.
    """
    if work.means.model.plans_here:
        return work.sought or work.asked.question
    asked = work.asked.question
    if work.rephrased.by_model and work.question != work.asked.question:
        asked = f"{asked}\n\n(In full: {work.question})"
    language = name_of_language(language_of_question(work.asked.question)) or "the language of the question"
    manner = work.manner or tone(work.intent)
    told = render(THIS, question=asked, rounds=work.asked.rounds, tone=manner, language=language)
    if work.asked.instructions:
        told += f"\n{render(ASKED, instructions=without_tags(work.asked.instructions))}"
    return told


def _result(said: CallResult, content: str) -> Message:
    return Message(role="tool", tool_call_id=said.call.id, content=content)
