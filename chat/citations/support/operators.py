"""Words that change what a sentence says without being its subject: not, may, about, all, at least,
before, unless."""

from functools import cache

# By family, lines of "what they say: the phrases that say it". Phrases agree when they say something in
# common.
_FAMILIES = {
    "negation": """
not: not, no, non, never, neither, nor, none, nobody, nothing, without, no longer, cannot, fail to, fails to,
 failed to, failing to,
 failure to, lack, lacks, lacked, lacking, hardly, scarcely
notall: not all, not every
deny: deny, denies, denied, denying
not: it is false that, it is untrue that, it is not true that, it is not the case that
refuse: refuse, refuses, refused, refuse to, refuses to, refused to, declined to, declines to
prevent: prevent, prevents, prevented, preventing
prohibit: prohibit, prohibits, prohibited, forbid, forbids, forbidden
avoid: avoid, avoids, avoided, avoiding
refrain: refrain, refrains, refrained
cease: cease, ceases, ceased, ceasing
instead: rather than, instead of, in lieu of
too: too
""",
    "modality": """
may: may, might, is permitted to, are permitted to, is allowed to, are allowed to, is entitled to,
 are entitled to, has the right to,
 have the right to
may can: could
can: can, able to, capable of
must: must, required to, has to, have to, had to, needs to, need to, obliged to, obligated to,
 is mandatory, are mandatory
must shall: shall
should: should, ought to
will: will, going to
would: would
""",
    "attitude": """
expect: expect, expects, expected, expecting, anticipate, anticipates, anticipated,
 projected, forecasted
intend: intend, intends, intended, plans to, plan to, planned to, planned, planning to, aims to, aim to,
 aimed to, seeks to, seek to,
 sought to
suspect: suspects that, suspect that, suspected that, fears that, fear that, feared that, doubts that,
 doubted that, assumes that, assumed that, speculates that, speculated that, predicts that, predicted that
believe: thought, assumed, deemed, presumed, reputed, regarded as, viewed as, perceived, seen as, billed as,
 hailed as, touted as, marketed as, described as, portrayed as, believe, believes, believed, thinks, think,
 in our opinion, in our view, in its opinion, feels that
estimate: estimated, estimates that, estimate that
try: attempt to, attempts to, attempted to, try to, tries to, tried to, attempted
nominal: technically, theoretically, nominally, ostensibly, virtually, practically, conditionally,
 provisionally, temporarily, in theory, in principle, on paper
likely: likely, probably, probable
possible: possibly, perhaps, maybe, potentially, potential, possible, conceivably
seem: appears to, appear to, appeared to, seems, seem, seemed, apparently
allege: alleged, alleges, allege, allegedly, alleging, claims that, claimed that, claim that, claimed,
 asserts, assert, asserted, asserting,
 contends, contend, contended, argues, argue, argued, purports, purported, purportedly, reportedly,
 according to, accuses, accused,
 accusing, rumored, supposedly, insists, insisted
say: said, says, saying, stated that, states that, stating, suggests that, suggest that, suggested that,
 announced that, announces that,
 noted that, notes that, reported that, reports that, told, tells, explained that, added that, wrote that,
 warned that
propose: proposes, proposed, proposed to, offered to, offers to
hope: hopes, hope, hoped, wishes to, wish to, wants to, want to, wanted to
consider: considers, considered, considering, is considering, may consider
agree: agreed to, agrees to, agree to, promised to, promises to, undertakes to, commits to, committed to
pretend: pretends, pretended, fictional, hypothetical, imaginary, fake, so-called, would-be
""",
    "estimate": """
about: approximately, roughly, nearly, almost, circa, close to, around #, about #, some #, an estimated,
 just under, just over
""",
    "quantifier": """
all: all, every, each, everyone, everything, everybody, entire, entirely, whole, wholly, always, fully,
 completely, in full, in all cases
any: any, anyone, anything, whichever, whatever
some: some, certain, several, various, a number of, a portion of, part of, partly, partially, portion of,
 in part, sometimes,
 occasionally, someone, something, a few, at times, in some cases, selected
many: many, numerous, much, a lot of, lots of
most: most, majority, the majority of, a majority of, mostly, mainly, primarily, largely, principally,
 generally, usually, typically,
 normally, often, frequently, predominantly, substantially all
few: few, rarely, seldom, little
both: both
either: either
half: half
only: only, solely, exclusively, merely, just, sole, exclusive, nothing but, none but, alone
even: even
""",
    "comparison": """
gt: more than, greater than, higher than, larger than, in excess of, exceed, exceeds, exceeded, exceeding,
 over #, above #, longer than,
 better than, stronger than, older than, faster than
lt: short of, less than, fewer than, lower than, smaller than, below #, under #, shorter than, worse than,
 weaker than, younger than, slower than
ge: at least, no less than, not less than, no fewer than, not fewer than, a minimum of, minimum of,
 minimum, or more, or greater,
 or longer, at a minimum
le: at most, no more than, not more than, up to, a maximum of, maximum of, maximum, not exceed,
 not to exceed, not exceeding, or less,
 or fewer, no greater than, not greater than, as much as, as many as, no longer than
same: same as, equal to, as much, equivalent to, the same, same
more: more, higher, greater, larger, longer, bigger, stronger, better, faster, older
less: less, lower, smaller, fewer, shorter, weaker, worse, slower, younger
highest: highest, largest, greatest, biggest, maximal, longest, best, strongest
lowest: lowest, smallest, least, minimal, shortest, worst, weakest
""",
    "time": """
before: before, prior to, earlier than, preceding, in advance of, ahead of
after: after, subsequent to, subsequently, later than, thereafter, following @, following the, upon
by: no later than, not later than, by @
until: until, till, up until, through @
since: since
within: within
last: last, latest, final, previous, previously, prior, former, formerly, past
next: next, upcoming, future, forthcoming, subsequent
first: initial, initially, earliest
once: once
twice: twice, double
""",
    "reason": """
because: because, because of, thanks to, therefore, thus, hence, so that, consequently
despite: although, though, even though, despite, in spite of, notwithstanding, regardless of, irrespective of
""",
    "condition": """
if: if, in the event, in case, assuming, contingent, contingent upon, conditional, conditioned,
 conditioned on, depending, depending on,
 provided, provided that, providing that, so long as, as long as, on condition, to the extent, subject to,
 where applicable, if applicable, when required, dependent on, dependent upon
absent: in the absence of
unless: save in, save where, save as, save to
unless: unless, except if, save if, except, except as, except for, excepting, other than, apart from,
 aside from, excluding, exclusive of, save for, save that, otherwise than, with the exception of, but for,
 absent
despite: even if
only-if: only if, if and only if, only when, only where
whether: whether
""",
}
IGNORED = (
    "not only",
    "but also",
    "as well as",
    "the following",
    "no. #",
    "number of",
    "not limited to",
    "most recent",
    "most recently",
)


@cache
def phrases() -> dict[str, list[tuple[tuple[str, ...], str, frozenset[str]]]]:
    """By first word: the words of each phrase, longest first,
    its family and what it says. "#" is a figure, "@" a date."""
    listed: dict[str, list[tuple[tuple[str, ...], str, frozenset[str]]]] = {}
    for family, text in _FAMILIES.items():
        for line in text.strip().replace("\n ", " ").split("\n"):
            meanings, _, spelled = line.partition(":")
            for phrase in spelled.split(","):
                parts = tuple(phrase.split())
                listed.setdefault(parts[0], []).append((parts, family, frozenset(meanings.split())))
    for phrase in IGNORED:
        parts = tuple(phrase.split())
        listed.setdefault(parts[0], []).append((parts, "", frozenset()))
    for entries in listed.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return listed
