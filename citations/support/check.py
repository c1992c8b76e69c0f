"""Does a quote support the claim before it? Both are aligned word by word, and what differs is looked at."""

from collections.abc import Iterator
from itertools import chain

from citations.support import facts, legibility, meaning, order, surroundings, table, wording
from citations.support.alignment import Alignment, align
from citations.support.legibility import without_introduction
from citations.support.outcome import Check, Difference, Objection, Support, SupportCheck
from english.reading import Reading, read

CONTEXT_READ = 20_000  # characters around the quote in which names and years are looked up
SAID = 0.6  # share of the claim's words that the quote must have where only the wording differs
FACTS_AGREE: Support = "facts_agree"
SHOWN = 6  # words that a reason lists

# Comparisons that say nothing about prose, and those that object to a word of one text alone.
_WORDING = ("things", "words left out", "and and or", "kinds")
_ADDED = ("figures and dates", "names", "negation", "all and some")
_LEFT_OUT = (
    "negation",
    "conditions",
    "facts and expectations",
    "rest of the sentence",
    "statement",
    "rows and columns",
)

Compared = list[tuple[str, list[Difference]]]


def check_support(claim: str, quote: str, context: str = "", at: int = 0) -> SupportCheck:
    """Whether the quote carries the claim.

    context: the text that the quote was taken from; it stands there at `at` or behind. Time is linear in the
    length of the texts; those that are longer than a claim or a quote can be are not read, and need your eye.
    """
    before, after = surroundings.rest_of_sentence(quote, context, at)
    alignment, compared = _compared(claim, quote, context, before, after)
    support, reason = _verdict(alignment, [one for _, found in compared for one in found])
    return SupportCheck(
        support=support,
        reason=reason,
        checks=tuple(_check(name, found) for name, found in compared),
        before=before,
        after=after,
        objections=tuple(_objections(alignment, compared, claim, quote, context)),
    )


def _objections(
    alignment: Alignment | None, compared: Compared, claim: str, quote: str, context: str
) -> Iterator[Objection]:
    """What speaks against the claim; of texts that cannot be compared word by word, figures in digits."""
    found = [(name, one) for name, differences in compared for one in differences if _objects(name, one)]
    if alignment is None:
        found += [("figures and dates", one) for one in facts.digits_differ(claim, f"{quote} {context}")]
    for name, one in found:
        yield Objection(kind=name, text=one.text, claimed=one.claimed, quoted=one.quoted)


def _objects(name: str, one: Difference) -> bool:
    """Whether the difference speaks against a claim that is put in other words: two words in the same place
    do; of one that only the claim or only the quote has, the families in which that changes what is said.
    """
    if one.soft or name in _WORDING:
        return False
    if one.claimed and one.quoted:
        return True
    return name in (_ADDED if one.claimed else _LEFT_OUT)


def _check(name: str, found: list[Difference]) -> Check:
    if not found:
        return Check(name=name, passed=True)
    one = next((each for each in found if not each.soft), found[0])
    return Check(name=name, passed=False, detail=one.text, claimed=one.claimed, quoted=one.quoted)


def _verdict(alignment: Alignment | None, found: list[Difference]) -> tuple[Support, str]:
    """Red needs one hard difference alone, of words that stand between the same neighbours, and no other
    words in the claim than the quote's.
    """
    if not found:
        return "supported", ""
    hard = [one for one in found if not one.soft]
    if hard:
        is_certain = hard[0].exact and all(_are_of_one(hard[0], one) for one in found)
        return ("contradicted" if is_certain else "needs_your_eye"), hard[0].text
    if alignment is None or _share_said(alignment) < SAID:
        return "needs_your_eye", found[0].text
    return FACTS_AGREE, f"Figures, names and dates agree; wording differs: {_listed(found)}."


def _are_of_one(first: Difference, other: Difference) -> bool:
    """Whether the second is the same, or of the same word, or says that the claim lacks words."""
    return other is first or (other.soft and other.claimed in ("", first.claimed))


def _share_said(alignment: Alignment) -> float:
    content = alignment.claim.content
    return len(alignment.to_quote) / len(content) if content else 0.0


def _listed(found: list[Difference]) -> str:
    claimed = list(dict.fromkeys(one.claimed for one in found if one.claimed))[:SHOWN]
    quoted = list(dict.fromkeys(one.quoted for one in found if one.quoted))[:SHOWN]
    return " / ".join(part for part in (", ".join(claimed), ", ".join(quoted)) if part)


def _compared(
    claim: str, quote: str, context: str, before: str, after: str
) -> tuple[Alignment | None, Compared]:
    """Every comparison with the differences that it found."""
    legible = legibility.cannot_be_read(claim, quote, before, after)
    if legible is not None:
        return None, [("language and length", [legible] if legible.text else [])]
    ours, theirs = read(without_introduction(claim)), read(quote)
    stated = legibility.lists_figures(ours) or legibility.states_nothing(ours, theirs)
    if stated is not None:
        return None, [("statement", [stated])]
    around = read(f"{before} {quote} {after}\n{context[:CONTEXT_READ]}") if context else Reading(text="")
    alignment = align(ours, theirs)
    return alignment, [(name, list(found)) for name, found in _differences(alignment, around, before, after)]


def _differences(
    alignment: Alignment, around: Reading, before: str, after: str
) -> Iterator[tuple[str, Iterator[Difference]]]:
    yield "figures and dates", facts.figures_differ(alignment, around)
    yield "names", facts.names_differ(alignment, around)
    yield "opposites", facts.opposites_differ(alignment)
    yield "kinds", facts.kinds_differ(alignment)
    for family in meaning.FAMILIES:
        yield family, meaning.operators_differ(alignment, family)
    yield "which figure is whose", order.pairs_differ(alignment)
    if alignment.quote.is_table:
        yield "rows and columns", table.cells_differ(alignment)
    else:
        yield (
            "who does what to whom",
            chain(
                order.order_differs(alignment),
                order.directions_differ(alignment),
                order.persons_differ(alignment),
            ),
        )
    yield "and and or", order.joints_differ(alignment)
    yield "rest of the sentence", surroundings.rest_differs(alignment.claim, before, after)
    yield "things", facts.things_differ(alignment, around)
    yield "words left out", chain(wording.words_left_out(alignment), wording.particles_left_out(alignment))
