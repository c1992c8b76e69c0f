"""The installed entailment model: the second reader of answers, and beside the check by code where only both
together make a verdict green.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from citations.choices import Support
from citations.opinion import Opinion, Says
from citations.statements import Statement
from citations.support import Check, SupportCheck, check_support
from providers.cross_encoders import entailment
from providers.protocols import Entailment, ProviderError

logger = logging.getLogger(__name__)

NAME = "model of entailment"  # among the comparisons


ChosenModel = Callable[[], Entailment | None]


def looked_up_once() -> ChosenModel:
    """Returns a function that looks the chosen model up once, for all claims of one answer."""
    return cache(entailment)


def check_with_model(
    claim: str, quote: str, context: str = "", chosen: ChosenModel = entailment, at: int = 0
) -> SupportCheck:
    """Like `check_support`; what that finds supported is also read by the model, if one is chosen."""
    check = check_support(claim, quote, context, at)
    model = chosen() if check.support == Support.SUPPORTED else None
    return _agreed(check, claim, quote, model) if model else check


def opinion_of(model: Entailment, statement: Statement) -> Opinion:
    """Of the model as the second reader, on heading, sentence and claim. Raises ProviderError."""
    document = "\n".join(filter(None, (statement.heading, statement.sentence or statement.quote)))
    found = model.opinion(document, statement.claim)
    says = Says.NEITHER
    if found.agrees:
        says = Says.SUPPORTS
    elif found.contradicts > 0.5:
        says = Says.CONTRADICTS
    return Opinion(says=says, model=model.name)


def opinion_if_any(model: Entailment, statement: Statement) -> Opinion | None:
    """None if it could not be asked, which is logged."""
    try:
        return opinion_of(model, statement)
    except ProviderError as error:
        logger.warning("no opinion of %s: %s", model.name, error.message)
        return None


def _agreed(check: SupportCheck, claim: str, quote: str, model: Entailment) -> SupportCheck:
    """The green verdict after the model has read claim and quote: without its agreement it needs a human."""
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
