"""Does a quote support the claim before it? The check by code, without a language model."""

from citations.support.check import check_support
from citations.support.outcome import Check, Objection, Support, SupportCheck

__all__ = ["Check", "Objection", "Support", "SupportCheck", "check_support"]
