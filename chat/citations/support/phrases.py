"""The phrases of a statement: which nouns stand together, and under which preposition and which word."""

from dataclasses import dataclass

from chat.citations.support.clause_numbers import clause_numbers, depths_of
from chat.citations.support.grammar import DETERMINERS
from chat.citations.support.statement import DATE_UNITS, Statement, Token
from chat.citations.support.verbs import JOINTS, MARKERS, MARKING, is_adverb, is_finite, verbs_of
from text.lexicon import root
from text.word_lists import words

# Operators that stand under a preposition with the noun behind them: "in almost all cases".
_BEFORE_NOUNS = words("quantifier estimate comparison")
_SUBORDINATING = words(
    "before after until since because despite if unless while although though when where as by within"
)
NEAR = 60  # tokens before a phrase in which the words that it depends on are sought
PERIODS = frozenset(root(word) for word in words("quarter year month week day period decade season century"))
_COMPARING = words("compared relative comparable versus")
_NO_MARKERS = words("next last first earliest once twice")
_PLAIN_NEGATIONS = words("not no never neither nor none nobody nothing without hardly scarcely")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Nouns that stand together, with the adjectives before them, or one figure. marker: the preposition over
    it, "" for a subject or an object. governor: the place of the word before that, None at the beginning.
    """

    places: tuple[int, ...]
    marker: str
    governor: int | None
    verb: int | None
    start: int  # the place of its first token, marker and articles included
    is_date: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """A statement's verbs, and its phrases by the place of each of their words.

    finite: places of verbs and auxiliaries that have a subject; clauses: for each place the number of the
    clause with a subject of its own; depths: for each place in how many brackets it stands.
    """

    verbs: frozenset[int]
    finite: frozenset[int]
    phrases: tuple[Phrase, ...]
    phrase_of: dict[int, Phrase]
    clauses: tuple[int, ...]
    depths: tuple[int, ...]


def structure(statement: Statement) -> Structure:
    """The verbs, phrases and clauses, in time proportional to the statement's length."""
    verbs = verbs_of(statement)
    finite = {place for place in range(len(statement.tokens)) if is_finite(statement, place, verbs)}
    depths = depths_of(statement)
    clauses = clause_numbers(statement, verbs, finite, depths)
    phrases: list[Phrase] = []
    phrase_of: dict[int, Phrase] = {}
    for run in _runs(statement, verbs):
        phrase = _phrase(statement, run, phrases, verbs, finite, clauses)
        phrases.append(phrase)
        phrase_of |= dict.fromkeys(run, phrase)
    return Structure(
        verbs=frozenset(verbs), finite=frozenset(finite), phrases=tuple(phrases), phrase_of=phrase_of,
        clauses=tuple(clauses), depths=tuple(depths),
    )  # fmt: skip


def _runs(statement: Statement, verbs: set[int]) -> list[list[int]]:
    """Places of nouns and adjectives with nothing between them; figures alone, a date's parts together."""
    tokens = statement.tokens
    runs: list[list[int]] = []
    for place in statement.content:
        if place in verbs or is_adverb(tokens[place]):
            continue
        token, last = tokens[place], runs[-1][-1] if runs else len(tokens)
        near = all(
            _is_prefix(token) or is_adverb(token) or _orders(token) for token in tokens[last + 1 : place]
        )
        both_dates = _is_date(token) and bool(runs) and _is_date(tokens[last])
        near = near and not (bool(runs) and _ends_opening(statement, runs[-1]))
        if bool(runs) and near and (both_dates or not (token.quantity or tokens[last].quantity)):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _ends_opening(statement: Statement, run: list[int]) -> bool:
    """Whether a time that opens the sentence is over, without a comma: "in the second quarter sales rose"."""
    if run[0] > 3 or statement.tokens[run[-1]].key not in PERIODS:
        return False
    return _marker(statement, run[0])[0] in ("in", "during", "for", "by", "at")


def _is_date(token: Token) -> bool:
    return token.quantity is not None and token.quantity.unit in DATE_UNITS


def _orders(token: Token) -> bool:
    """The "prior" of "the comparable prior year"."""
    return token.family == "time" and bool(token.says & _NO_MARKERS)


def _is_prefix(token: Token) -> bool:
    """The "non" of "vendor non-trade receivables"."""
    return token.family == "negation" and token.key.split()[0] not in _PLAIN_NEGATIONS


def _phrase(
    statement: Statement,
    run: list[int],
    before: list[Phrase],
    verbs: set[int],
    finite: set[int],
    clauses: list[int],
) -> Phrase:
    tokens = statement.tokens
    marker, at = _marker(statement, run[0])
    if marker in _SUBORDINATING and _is_subject_of_its_own(statement, run, at, finite):
        marker = ""  # "after he had left" says when, and not what he stands under
    if not marker and (last := _listed_before(statement, run, at, before, clauses)):
        return Phrase(
            places=tuple(run), marker=last.marker, governor=last.governor, verb=last.verb, start=at,
            is_date=_is_date(tokens[run[0]]),
        )  # fmt: skip
    governor = None
    depth = 0  # of brackets that stand between
    for there in range(at - 1, max(-1, at - NEAR), -1):
        token = tokens[there]
        depth += (token.surface in (")", "]")) - (token.surface in ("(", "["))
        ends = (
            token.kind == "punctuation"
            and token.surface not in ')]"'
            and not (depth == 0 and token.surface in "([")
        )
        if depth < 0 or clauses[there] != clauses[run[0]] or (ends and not depth):
            break
        if token.is_content and not depth:
            governor = there
            break
    verb = next((there for there in range(at - 1, max(-1, at - NEAR), -1) if there in verbs), None)
    if verb is not None and tokens[verb].segment != tokens[run[0]].segment:
        verb = None
    return Phrase(
        places=tuple(run), marker=marker, governor=governor, verb=verb, start=at,
        is_date=_is_date(tokens[run[0]]),
    )  # fmt: skip


def _is_subject_of_its_own(statement: Statement, run: list[int], at: int, finite: set[int]) -> bool:
    """Whether the verb behind is said of it, and not of a noun before: "profit before tax rose"."""
    before = [
        place
        for place in range(max(0, at - NEAR), at)
        if statement.tokens[place].clause == statement.tokens[at].clause
    ]
    is_inside = any(statement.tokens[place].is_content for place in before) and not any(
        place in finite for place in before
    )
    return not is_inside and _next_is_finite(statement, run[-1], finite)


def _next_is_finite(statement: Statement, place: int, finite: set[int]) -> bool:
    for there in range(place + 1, min(place + NEAR, len(statement.tokens))):
        if not is_adverb(statement.tokens[there]):
            return there in finite
    return False


def _listed_before(
    statement: Statement, run: list[int], at: int, before: list[Phrase], clauses: list[int]
) -> Phrase | None:
    """The phrase that this one goes on with, after "and" or a comma: it stands under the same preposition."""
    tokens = statement.tokens
    if not before or at < 2 or clauses[before[-1].places[-1]] != clauses[run[0]]:
        return None
    between = tokens[before[-1].places[-1] + 1 : at]
    if any(token.key not in JOINTS and token.surface != "," and token.key != "both" for token in between):
        return None
    if any(token.key in JOINTS for token in between):
        return before[-1]
    behind = tokens[run[-1] + 1 : run[-1] + 3]
    goes_on = bool(behind) and (behind[0].key in JOINTS or behind[0].surface == ",")
    return before[-1] if goes_on and any(t.key in JOINTS for t in tokens[run[-1] : run[-1] + 8]) else None


def _marker(statement: Statement, place: int) -> tuple[str, int]:
    """The preposition over a word, and its place; without one "" and the place where the phrase begins."""
    tokens, start, has_article = statement.tokens, place, False
    for there in range(place - 1, max(-1, place - NEAR), -1):
        token = tokens[there]
        if token.kind == "function" and token.key in MARKERS:
            if there and tokens[there - 1].surface.lower() in _COMPARING:
                return "compared", there - 1
            if there and tokens[there - 1].key == "than":
                return "than", there - 1
            return token.key, there
        if token.family in MARKING and not token.says & _NO_MARKERS:
            return min(token.says), there
        if token.family == "negation" and token.key == "without":
            return "without", there
        is_inside = (
            token.key in DETERMINERS
            or token.family in _BEFORE_NOUNS
            or _is_prefix(token)
            or is_adverb(token)
            or _orders(token)
            or (token.quantity is not None and not _is_date(token) and not has_article)
        )
        has_article = has_article or token.key in DETERMINERS
        if not is_inside:
            return "", start
        start = there
    return "", start
