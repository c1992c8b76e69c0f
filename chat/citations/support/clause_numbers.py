"""Where the clauses of a statement begin that have a subject and a verb of their own."""

from chat.citations.support.grammar import PRONOUNS
from chat.citations.support.statement import Statement, Token
from chat.citations.support.verbs import JOINTS, MARKERS, RELATIVES
from text.lexicon import is_past_form
from text.word_lists import words

_PERSONS = words("he she it they we you i")
_WHEN = words("when while whereas although though because since")
_COORDINATING = words("and but while whereas or nor")


def clause_numbers(statement: Statement, verbs: set[int], finite: set[int], depths: list[int]) -> list[int]:
    """For each place its clause: a new one begins where "and" or "but" has a subject and a verb behind it and
    a verb before it, with "if" or "because", and at the comma behind such a clause.
    """
    tokens, numbers, number = statement.tokens, [], 0
    has_verb = is_condition = False
    opens = _with_own_subject(statement, verbs, finite)
    for place, token in enumerate(tokens):
        if depths[place]:
            numbers.append(number)
            continue
        ends = place > 0 and token.segment != tokens[place - 1].segment and not depths[place - 1]
        joins = opens[place] and has_verb and token.kind == "function" and token.key in _COORDINATING
        returns = opens[place] and has_verb and is_condition and token.surface == ","
        of_which = place > 0 and token.key in ("which", "whom") and tokens[place - 1].key in MARKERS
        joins = joins or (of_which and opens[place] and has_verb)
        pronoun = place + 1 < len(tokens) and tokens[place + 1].key in _PERSONS
        subordinates = opens[place] and (_subordinates(token) or (token.family == "time" and pronoun))
        if ends or joins or returns or (subordinates and (has_verb or not is_condition)):
            number, has_verb, is_condition = number + 1, False, subordinates
        has_verb = has_verb or place in finite
        numbers.append(number)
    return numbers


def _subordinates(token: Token) -> bool:
    return token.family in ("condition", "reason") or (token.kind == "function" and token.key in _WHEN)


def _with_own_subject(statement: Statement, verbs: set[int], finite: set[int]) -> list[bool]:
    """For each place whether a finite verb with a subject before it follows."""
    tokens = statement.tokens
    own = [False] * len(tokens)
    state = waiting = False  # a verb with its subject follows; one that has no subject yet
    is_sure = True  # whether that verb can't be a participle: "and the plan published in May"
    for place in range(len(tokens) - 1, -1, -1):
        token = tokens[place]
        if place + 1 < len(tokens) and token.segment != tokens[place + 1].segment:
            state = waiting = False
        if place in finite:
            state, waiting = False, True
            is_sure = place not in verbs or not is_past_form(token.surface)
        elif token.kind == "function" and token.key in RELATIVES:
            own[place] = state
            waiting = False
        elif waiting and (token.is_content or token.key in PRONOUNS):
            state, waiting = True, False
        elif token.kind == "function" and token.key in _COORDINATING:
            behind_comma = place > 0 and tokens[place - 1].surface == ","
            own[place] = state and (is_sure or behind_comma or token.key not in JOINTS)
            waiting = False
        else:
            own[place] = state
    return own


def depths_of(statement: Statement) -> list[int]:
    """How many brackets each token stands in."""
    depths, depth = [], 0
    for token in statement.tokens:
        depth += token.surface in ("(", "[")
        depths.append(depth)
        depth -= token.surface in (")", "]") and depth > 0
    return depths
