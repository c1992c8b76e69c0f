"""A model whose replies are kept until their finding is written, so that nothing is paid for twice."""

from dataclasses import asdict

from compliance.models import Check, PaidReply, Requirement
from providers.protocols import Usage


def kept(check: Check, requirement: Requirement, key: str) -> tuple[str, Usage] | None:
    told = PaidReply.kept(key, check_of=check, requirement=requirement)
    return (told["answer"], Usage(**told["usage"])) if told else None


def keep(check: Check, requirement: Requirement, key: str, answer: str, usage: Usage) -> None:
    reply = {"answer": answer, "usage": asdict(usage)}
    PaidReply.keep(key, reply, check_of=check, requirement=requirement)
