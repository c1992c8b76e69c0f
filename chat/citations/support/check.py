"""Does a quote support the claim before it? One comparison by code after the other, each with its reason."""

from chat.citations.support import (
    attachment,
    certainty,
    clauses,
    direction,
    legibility,
    limits,
    order,
    roles,
    scope,
    surroundings,
    wording,
)
from chat.citations.support.alignment import align
from chat.citations.support.introduction import without_introduction
from chat.citations.support.outcome import Check, Difference, SupportCheck
from chat.citations.support.statement import Statement, read

# What is compared, by the names that people see, and the family of operators that it takes.
FAMILIES = {
    "negation": "negation",
    "may and must": "modality",
    "facts and expectations": "attitude",
    "about": "estimate",
    "all and some": "quantifier",
    "more and less": "comparison",
    "before and after": "time",
    "reasons": "reason",
    "conditions": "condition",
}
CONTEXT_READ = 20_000  # characters around the quote in which the rest of its sentence and names are looked up


def check_support(claim: str, quote: str, context: str = "", at: int = 0) -> SupportCheck:
    """Whether the quote carries the claim.

    context: the text that the quote was taken from; it stands there at `at` or behind. Time is linear in the
    length of the texts; those that are longer than a claim or a quote can be are not read, and need your eye.
    """
    before, after = surroundings.rest_of_sentence(quote, context, at)
    checks = list(_checks(claim, quote, context, before, after))
    failed = [(name, difference) for name, difference in checks if difference]
    first = next((difference for _, difference in failed if difference.contradicts), None)
    # A word that says the opposite may loosen what stands beside it. Anything else that differs is a doubt.
    contradicts = first is not None and not any(
        difference is not first and name != "what belongs to what" for name, difference in failed
    )
    first = first or next((difference for _, difference in failed), None)
    return SupportCheck(
        support="supported" if first is None else "contradicted" if contradicts else "needs_your_eye",
        reason=first.text if first else "",
        checks=tuple(
            Check(name=name, passed=difference is None, detail=difference.text if difference else "")
            for name, difference in checks
        ),
        before=before,
        after=after,
    )


def _checks(
    claim: str, quote: str, context: str, before: str, after: str
) -> list[tuple[str, Difference | None]]:
    legible = legibility.cannot_be_read(claim, quote, before, after)
    if legible is not None:
        return [("language and length", legible if legible.text else None)]
    ours, theirs = read(without_introduction(claim)), read(quote)
    if (difference := legibility.lists_figures(ours)) is not None:
        return [("language and length", difference)]
    around = read(context[:CONTEXT_READ]) if context else Statement(text="")
    alignment = align(ours, theirs)
    is_certain = certainty.is_certain(alignment)
    differences = [
        ("words", wording.words_differ(alignment, around)),
        ("figures and dates", wording.figures_differ(alignment)),
        *((name, wording.operators_differ(alignment, family)) for name, family in FAMILIES.items()),
        ("scope of not and all", scope.scope_differs(alignment)),
        ("what belongs to what", attachment.attachment_differs(alignment)),
        ("order", order.order_differs(alignment)),
        ("from and to", direction.prepositions_differ(alignment)),
        ("whole phrases", roles.phrases_differ(alignment) or limits.limits_differ(alignment)),
        ("who does it, and whether it is a fact", clauses.clauses_differ(alignment)),
        ("and and or", attachment.coordination_differs(alignment)),
    ]
    return [
        ("language and length", None),
        ("statement", legibility.states_nothing(ours, theirs)),
        *(
            (name, difference if difference is None or is_certain else difference.doubted())
            for name, difference in differences
        ),
        ("rest of the sentence", surroundings.rest_differs(before, after)),
    ]
