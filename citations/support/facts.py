"""The figures, dates, names and things of a claim: whether the quote, or what is around it, has them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from citations.support.alignment import Alignment
from citations.support.outcome import Difference
from english.dates import DAY_OR_MONTH
from english.lexicon import (
    are_opposites,
    carriers,
    is_common,
    is_past_form,
    kinds_of,
    root,
    verb_reading,
)
from english.quantities import Quantity
from english.reading import DATE_UNITS, Reading, Token
from text.word_lists import words

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
SLOT = 8  # places behind the last word that both texts have in which the next is sought
_DENYING_OR_ALL = words("not forbidden all any only")
_ENDS = frozenset(".;,()")
_QUALIFYING = ("all and some", "more and less", "before and after")  # "final", "higher" may face another word
NEAR = 6  # places on either side of where a word would stand in which a rival to it is sought
COMPARED = 12  # words that are held against each other as opposites
_MONEY, _RATES = frozenset("$€£¥₹¢") | {"chf", "cny"}, frozenset({"%", "pp", "bp"})
_KINDS = (DATE_UNITS, _MONEY, _RATES)
# Who speaks in a document without being named in each sentence.
_SPEAKERS = words("we our us ours i my company registrant corporation group firm foundation")
# Names for the parties of contracts and cases, which count as names.
_PARTIES = frozenset(
    root(word)
    for word in words(
        """supplier customer buyer seller purchaser vendor landlord tenant lessor lessee licensor licensee
        lender borrower employer employee contractor client agent provider
        recipient plaintiff defendant driver rider
        insurer insured guarantor trustee processor controller"""
    )
)
# Words that only carry a figure, a report or a verb; a claim may add or drop them.
LIGHT = frozenset(
    root(word)
    for word in words(
        """total amount report stand equal reach locate situate call name know take place be exist say state
        come make do have get set put go one period number kind type mean way case part level respect term"""
    )
)


def figures_differ(alignment: Alignment, context: Reading) -> Iterator[Difference]:
    """Figures and dates of the claim that the quote does not have, or has of another unit or sign. A year may
    stand in the text around.
    """
    years = {token.quantity for token in context.tokens if token.quantity and token.quantity.unit == "year"}
    for place, token in _unsaid(alignment):
        claimed = token.quantity
        if claimed is None or claimed in years or _is_bare_one(token):
            continue
        rivals = [other for other in near(alignment, place) if _measures_same(other, claimed)]
        for date in (token, *rivals):
            if date.quantity and date.quantity.unit == DAY_OR_MONTH:
                yield Difference(
                    text=f"“{date.surface}” may have the day or the month first.", claimed=token.surface
                )
                break
        else:
            yield versus(
                token.surface,
                rivals[0].surface if rivals else "",
                exact=len(rivals) == 1 and _in_same_slot(alignment, place, rivals[0]),
            )
    for place, there in alignment.to_quote.items():
        ours, theirs = alignment.claim.tokens[place], alignment.quote.tokens[there]
        is_turned = ours.quantity and theirs.quantity and ours.quantity.value * theirs.quantity.value < 0
        if is_turned and not _says_negative(alignment.claim):
            yield versus(ours.surface, theirs.surface)


_NEGATIVE = frozenset(
    root(word)
    for word in words(
        "loss deficit decrease decline fall drop reduce lower negative outflow expense cost cut"
    )
)


def _says_negative(claim: Reading) -> bool:
    """Whether words say that a figure is negative, and leave no doubt, unlike "income (loss)"."""
    depth = 0
    said = False
    for token in claim.tokens:
        depth += (token.surface in {"(", "["}) - (token.surface in {")", "]"})
        said = said or (not depth and token.key in _NEGATIVE)
    return said and not any(token.key in _POSITIVE for token in claim.tokens)


_POSITIVE = frozenset(root(word) for word in words("income gain profit earnings benefit increase proceeds"))


def _is_bare_one(token: Token) -> bool:
    """ "One" is as often no figure: "one of the parties"."""
    return token.surface.lower() in ("one", "one of")


def _measures_same(token: Token, claimed: Quantity) -> bool:
    """Whether the token is of the claimed figure's kind: a date, money, a rate or a count."""
    quantity = token.quantity
    return quantity is not None and all((quantity.unit in kind) == (claimed.unit in kind) for kind in _KINDS)


def digits_differ(claim: str, quote: str) -> Iterator[Difference]:
    """Figures in digits that the quote does not have, of texts in any language."""
    said = set(_DIGITS.findall(quote))
    for figure in _DIGITS.findall(claim):
        if figure not in said:
            yield versus(figure, "")


def names_differ(alignment: Alignment, context: Reading) -> Iterator[Difference]:
    """Names of the claim that neither the quote nor the text around has, or where the quote has another.

    Who speaks as "we" or "the Company" may be named: that is another wording, or none where the text around
    has the name.
    """
    around = {token.key for token in context.tokens if token.capital}
    speaks = any(token.surface.lower() in _SPEAKERS for token in alignment.quote.tokens)
    initials = "".join(token.surface[:1] if token.capital else " " for token in alignment.quote.tokens)
    for place in alignment.claim.content:
        token = alignment.claim.tokens[place]
        if not is_actor(alignment.claim, place) or (len(token.surface) > 1 and token.surface in initials):
            continue
        if rival := _other_actor(alignment, place):
            yield versus(token.surface, rival.surface)
        elif place not in alignment.to_quote and not (token.key in around and speaks):
            yield versus(token.surface, "", soft=token.key in around or speaks)


def _other_actor(alignment: Alignment, place: int) -> Token | None:
    """Another name or party that stands where the claim has this one."""
    quote, key = alignment.quote, alignment.claim.tokens[place].key
    rivals = [there for there in facing(alignment, place) if is_actor(quote, there)]
    return next((quote.tokens[there] for there in rivals if quote.tokens[there].key != key), None)


def is_name(statement: Reading, place: int) -> bool:
    """Whether the word is written as a name, and not only because it opens a sentence."""
    tokens, token = statement.tokens, statement.tokens[place]
    opens = place == 0 or tokens[place - 1].segment != token.segment
    return token.capital and not token.quantity and not (opens and is_common(token.surface))


def is_actor(statement: Reading, place: int) -> bool:
    """Whether the word is a name, or the name of a party: "Supplier", "tenant"."""
    return is_name(statement, place) or statement.tokens[place].key in _PARTIES


def opposites_differ(alignment: Alignment) -> Iterator[Difference]:
    """Words of which the quote has the opposite instead: "rose" for "fell"."""
    segments = alignment.told_segments()
    free = [
        other
        for there, other in enumerate(alignment.quote.tokens)
        if there not in alignment.to_claim and other.key and not other.quantity and other.segment in segments
    ]
    for place, token in list(_unsaid(alignment))[:COMPARED]:
        rivals = near(alignment, place)
        for other in [*rivals, *free]:
            if token.quantity is None and other.quantity is None and are_opposites(token.key, other.key):
                yield versus(token.surface, other.surface, exact=_in_same_slot(alignment, place, other))
                break


def kinds_differ(alignment: Alignment) -> Iterator[Difference]:
    """What is denied, or said of all, of a kind alone: "no dogs" is not "no animals"."""
    if not any(token.says & _DENYING_OR_ALL for token in alignment.quote.tokens):
        return
    for place, there in alignment.to_quote.items():
        ours, theirs = alignment.claim.tokens[place], alignment.quote.tokens[there]
        if theirs.key in kinds_of(ours.key) and theirs.key not in carriers(ours.key):
            yield versus(ours.surface, theirs.surface)


def things_differ(alignment: Alignment, context: Reading) -> Iterator[Difference]:
    """Words of the claim that the quote does not have. That is a matter of wording, unless the quote has
    another thing or quality in the same place: "server" for "desktop", "final" for "early".
    """
    around = {token.key for token in context.tokens}
    for place, token in _unsaid(alignment):
        if token.quantity or is_actor(alignment.claim, place) or token.key in LIGHT:
            continue
        others = [alignment.quote.tokens[there] for there in facing(alignment, place)]
        is_swapped = _is_thing(token) and len(others) == 1 and _is_thing(others[0])
        is_speaker = is_swapped and token.capital and others[0].surface.lower() in _SPEAKERS
        rival = others[0] if is_swapped and not is_speaker else None
        is_known = token.key in around or bool(carriers(token.key) & around)
        is_hard = rival is not None or (token.key.startswith("#") and not is_known)
        yield versus(token.surface, rival.surface if rival else "", soft=not is_hard)


def _is_thing(token: Token) -> bool:
    """Whether the word is a noun, a name, an adjective or a number, as far as its form tells."""
    low = token.surface.lower()
    is_verb = verb_reading(low) == "mostly" or is_past_form(low) or low.endswith("ly")
    return (low.endswith("ing") or not is_verb) and token.key not in LIGHT


def facing(alignment: Alignment, place: int) -> list[int]:
    """The places of the quote's words that the claim does not have and that stand where the claim has this
    word: between the same neighbours. Empty where that is where the claim's word is found.
    """
    rank = bisect_left(alignment.order, place)
    is_said = place in alignment.to_quote
    following = rank + 1 if is_said else rank
    before = alignment.order[rank - 1] if rank else None
    after = alignment.order[following] if following < len(alignment.order) else None
    low = -1 if before is None else alignment.to_quote[before]
    high = len(alignment.quote.tokens) if after is None else alignment.to_quote[after]
    if low < high and is_said and low < alignment.to_quote[place] < high:
        return []
    if low >= high or after is None:
        high = min(len(alignment.quote.tokens), low + SLOT)
    free = []
    for there in range(low + 1, high):
        token = alignment.quote.tokens[there]
        if there in alignment.to_claim or token.surface in _ENDS:
            break
        if token.is_content or token.family in _QUALIFYING:
            free.append(there)
    return free if len(free) <= NEAR else []


def _in_same_slot(alignment: Alignment, place: int, rival: Token) -> bool:
    """Whether claim and quote have the same words right before and right behind the two that differ."""
    quote = alignment.quote
    there = next((at for at in quote.content if quote.tokens[at] is rival), None)
    if there is None or not alignment.to_quote:
        return False
    before, after = neighbours(alignment.claim, place)
    before_there, after_there = neighbours(quote, there)
    ours, theirs = alignment.claim.tokens[place - 1 : place], quote.tokens[there - 1 : there]
    is_led_in = bool(ours and theirs) and ours[0].kind == "operator" and ours[0].key == theirs[0].key
    return (is_led_in or before is None or alignment.to_quote.get(before) == before_there) and (
        after is None or alignment.to_quote.get(after) == after_there
    )


def neighbours(statement: Reading, place: int) -> tuple[int | None, int | None]:
    """The content words of the same sentence on either side."""
    content = statement.content
    left, right = bisect_left(content, place) - 1, bisect_right(content, place)
    segment = statement.tokens[place].segment
    before = content[left] if left >= 0 else None
    after = content[right] if right < len(content) else None
    return (
        before if before is not None and statement.tokens[before].segment == segment else None,
        after if after is not None and statement.tokens[after].segment == segment else None,
    )


def near(alignment: Alignment, place: int) -> list[Token]:
    """Words of the quote that the claim does not have, around where the claim's word would stand; nearest
    first.
    """
    aligned = sorted(alignment.to_quote, key=lambda other: abs(other - place))
    if not aligned:
        return []
    anchor = alignment.to_quote[aligned[0]] + (1 if aligned[0] < place else -1)
    free = [there for there in alignment.quote.content if there not in alignment.to_claim]
    return [
        alignment.quote.tokens[there]
        for there in sorted(free, key=lambda there: abs(there - anchor))
        if abs(there - anchor) <= NEAR
    ]


def versus(claimed: str, quoted: str, *, soft: bool = False, exact: bool = False) -> Difference:
    if not quoted:
        text = f"The quote does not say “{claimed}”."
    elif not claimed:
        text = f"The quote says “{quoted}”, the claim leaves it out."
    elif claimed.lower() == quoted.lower():
        text = f"The quote says “{quoted}” of something else."
    else:
        text = f"The claim says “{claimed}”, the quote “{quoted}”."
    return Difference(text=text, claimed=claimed, quoted=quoted, soft=soft, exact=exact)


def _unsaid(alignment: Alignment) -> Iterator[tuple[int, Token]]:
    for place in alignment.claim.content:
        if place not in alignment.to_quote:
            yield place, alignment.claim.tokens[place]
