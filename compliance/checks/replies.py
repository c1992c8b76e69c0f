"""A model whose replies are kept until their finding is written, so that nothing is paid for twice."""

from dataclasses import asdict
from typing import Any

from compliance.models import Check, KeptReply, Requirement
from providers.protocols import Usage


def kept(check: Check, requirement: Requirement, key: str) -> tuple[str, Usage] | None:
    rows = KeptReply.objects.filter(check_of=check, requirement=requirement, key=key)
    told: dict[str, Any] | None = rows.values_list("reply", flat=True).first()
    return (told["answer"], Usage(**told["usage"])) if told else None


def keep(check: Check, requirement: Requirement, key: str, answer: str, usage: Usage) -> None:
    KeptReply.objects.get_or_create(
        check_of=check, requirement=requirement, key=key,
        defaults={"reply": {"answer": answer, "usage": asdict(usage)}},
    )  # fmt: skip
