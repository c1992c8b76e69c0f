"""Does a quote support the claim before it? The check by code, without a language model."""

from chat.citations.support.check import check_support
from chat.citations.support.outcome import Check, Support, SupportCheck

__all__ = ["Check", "Support", "SupportCheck", "check_support"]
