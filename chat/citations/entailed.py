"""The installed model of entailment beside the check by code: a verdict is green only where both agree."""

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from chat.citations.support import Check, SupportCheck, check_support
from chat.models import Support
from providers.cross_encoders import entailment
from providers.protocols import Entailment, ProviderError

logger = logging.getLogger(__name__)

NAME = "model of entailment"  # among the comparisons


ChosenModel = Callable[[], Entailment | None]


def looked_up_once() -> ChosenModel:
    """Gives the model that is chosen when it is first asked for: for the claims of one answer."""
    return cache(entailment)


def check_with_model(
    claim: str, quote: str, context: str = "", chosen: ChosenModel = entailment, at: int = 0
) -> SupportCheck:
    """As `check_support`; what that finds supported is read by the model too, where one is chosen."""
    check = check_support(claim, quote, context, at)
    model = chosen() if check.support == Support.SUPPORTED else None
    return agreed(check, claim, quote, model) if model else check


def agreed(check: SupportCheck, claim: str, quote: str, model: Entailment) -> SupportCheck:
    """A green verdict once the model has read claim and quote: without its yes it needs an eye."""
    try:
        opinion = model.opinion(quote, claim)
        doubt = "" if opinion.agrees else f"{model.name} does not find that the claim follows from the quote."
    except ProviderError as error:
        logger.warning("no opinion of %s: %s", model.name, error.message)
        doubt = f"{model.name} could not be asked whether the claim follows."
    checks = (*check.checks, Check(name=NAME, passed=not doubt, detail=doubt))
    if not doubt:
        return replace(check, checks=checks)
    return replace(check, support="needs_your_eye", reason=doubt, checks=checks)
