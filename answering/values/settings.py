"""How questions are answered: which stages are on, within which limits."""

from dataclasses import dataclass

from answering.values.personal_data import PersonalData


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`passages` and `context_tokens`: how many passages a model is given, and how long these are together.
    `seconds`, `tokens` and `money`: what a question may take; 0 of the last two is no limit.
    """

    rephrase: bool = True
    classify: bool = True
    rerank: bool = True
    read_whole: bool = True
    compress: bool = True
    correct: bool = True
    judge: bool = True
    strict: bool = False
    personal_data: str = PersonalData.OFF
    passages: int = 15
    context_tokens: int = 4000
    seconds: int = 120
    tokens: int = 0
    money: float = 0
