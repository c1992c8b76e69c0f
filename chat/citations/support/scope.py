"""What stands under "not", "all" or "if" must not be told more generally: no dogs is less than no animals."""

from collections.abc import Iterator

from chat.citations.support.alignment import Alignment
from chat.citations.support.grammar import BE
from chat.citations.support.outcome import Difference
from chat.citations.support.statement import Statement, Token
from text.word_lists import words

_NEGATIVE = words("not refuse prevent prohibit avoid refrain")
_UNIVERSAL = words("all any only few most many")
_JOINTS = words("and or nor but than")
_AUXILIARIES = BE | words("has have had do does did")


def scope_differs(alignment: Alignment) -> Difference | None:
    """A word under one of them that the claim leaves out or puts more generally."""
    shared = {token.family for token in alignment.claim.tokens if token.kind == "operator"}
    for operator in alignment.quote.operators:
        token = alignment.quote.tokens[operator]
        if token.family not in shared or token.key in ("neither", "nor"):
            continue
        for place in _governed(alignment.quote, operator):
            word = alignment.quote.tokens[place]
            if place not in alignment.to_claim:
                behind = alignment.quote.tokens[place + 1 : place + 2]
                if any(other.key in _JOINTS for other in behind):
                    continue  # one of a list, each of which is denied
                if not word.surface.endswith("ly") and _is_told(alignment, operator):
                    return _left_out(token, word)
            elif alignment.is_kind(alignment.to_claim[place]):
                said = alignment.claim.tokens[alignment.to_claim[place]].surface
                return Difference(
                    text=f"The quote says “{token.surface}” of “{word.surface}”, the claim of “{said}”."
                )
    return None


def _left_out(operator: Token, word: Token) -> Difference:
    return Difference(
        text=f"The quote says “{operator.surface}” of “{word.surface}”, which the claim leaves out."
    )


def _is_told(alignment: Alignment, operator: int) -> bool:
    return any(place in alignment.to_claim for place in _governed(alignment.quote, operator))


def _governed(statement: Statement, operator: int) -> Iterator[int]:
    """The content words that it is said of: the rest of the clause, or of the noun that "all" belongs to."""
    token = statement.tokens[operator]
    is_negative = token.family == "negation" and bool(token.says & _NEGATIVE)
    is_universal = token.family == "quantifier" and bool(token.says & _UNIVERSAL)
    if not (is_negative or is_universal or token.family == "condition"):
        return
    for place in range(operator + 1, len(statement.tokens)):
        other = statement.tokens[place]
        ends = other.clause != token.clause or (other.kind == "function" and other.key in _JOINTS)
        if ends or (is_universal and (other.kind == "operator" or other.key in _AUXILIARIES)):
            return
        if other.is_content:
            yield place
