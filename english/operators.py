"""Words that change what a sentence says without being its subject, by family: "not", "may", "all", "at
least", "before", "unless". Contract English has many phrases for one meaning; they are listed together.
"""

from functools import cache

_FORBIDDEN = "may shall must can will"
_NOT_ENTITLED = "entitled permitted allowed authorised authorized"
# By family, lines of "what they say: the phrases that say it". Phrases agree when they say something in
# common. "#" is any figure, "@" a date.
_FAMILIES = {
    "negation": """
not: not, no, non, never, neither, nor, none, nobody, nothing, without, no longer, fail to, fails to,
 failed to, failing to, failure to, lack, lacks, lacked, lacking, hardly, scarcely, anything but, unlike
not: it is false that, it is untrue that, it is not true that, it is not the case that
untrue: untrue, false, myth, myths, wrong, incorrect, mistaken, misconception, misconceptions, rumour,
 rumours, fiction, nonsense, debunked
refuse: refuse, refuses, refused, refuse to, refuses to, refused to, declined to, declines to
deny: deny, denies, denied, denying
prevent: prevent, prevents, prevented, preventing
""",
    "may and must": """
may: may, might, can, could, is free to, are free to, has the right to, have the right to, possible, possibly,
 perhaps, potentially, optional, at its discretion, at its option
must: must, shall, has to, have to, had to, needs to, need to, required, required to, require, requires,
 requiring, obliged to, obligated to, bound to, under a duty to, is to, are to, mandatory, necessary, needed,
 agrees to, agree to, agreed to, undertakes to, undertake to, undertook to, commits to, committed to
must will: will, going to, shall be going to
should must: should, ought to
would: would
forbidden: prohibited from, prohibited, prohibit, prohibits, forbidden, forbidden to, forbidden from, forbids,
 forbid, not free to, has no right to, have no right to
""",
    "facts and expectations": """
expect: expect, expects, expected, expecting, anticipate, anticipates, anticipated, projected, forecasted,
 intend, intends, intended, plans to, plan to, planned to, aims to, seeks to, seek to,
 hopes to, wishes to, wants to, forecast, forecasts, guidance
believe: believe, believes, believed, thinks, think, thought, deemed, presumed, assumes that, suspects that,
 in our opinion, in our view, feels that, regards, seems, appears to, apparently, likely, probably
allege: alleged, alleges, allege, allegedly, alleging, claims that, claimed that, asserts, asserted,
 asserting,
 contends, contended, argues, argued, purports, purported, reportedly, according to, accused, rumored
say: says that, said that, stated that, states that, reported that, reports that, wrote that, suggests that,
 suggested that, warned that, predicts that, predicted that, hopes that, hoped that, fears that, feared that,
 hope, hoped, told, believes that, announced that, announces that
try: attempt to, attempts to, attempted to, try to, tries to, tried to, proposes, proposed, sought, offers to,
 technically, theoretically, nominally, in theory, in principle, on paper, provisionally, draft, tentative
""",
    "about": """
about: approximately, roughly, nearly #, almost #, circa, close to #, around #, about #, some #, an estimated
""",
    "all and some": """
all: all, every, each, everyone, everything, everybody, entire, entirely, whole, wholly, always, fully,
 completely, in full, both
all any: any, anyone, anything, whichever, whatever
only: only, solely, exclusively, merely, sole, exclusive, nothing but, alone
some: not all, not every, some, certain, several, various, a number of, a portion of, part of, partly,
 partially, in part,
 sometimes, occasionally, someone, something, a few, at times, in some cases, selected
many some: many, numerous
most: most, majority, the majority of, a majority of, mostly, mainly, primarily, largely,
 principally, generally, usually, typically, normally, often, frequently, substantially all, chiefly,
 nearly all, almost all, nearly every
few: few, rarely, seldom, little
either: either
half: half
""",
    "more and less": """
le: at most, no more than, not more than, a maximum of, maximum of, maximum, not exceed, not to exceed,
 not exceeding, or less, or fewer, no greater than, not greater than, as much as, as many as, no longer than,
 up to #, up to, capped at, limited to, limit of, no later than, not later than, at the latest, within, by @
ge: at least, no less than, not less than, no fewer than, not fewer than, a minimum of, minimum of, minimum,
 or more, or greater, or longer, at a minimum, no earlier than, not earlier than, at the earliest
gt: more than, greater than, higher than, larger than, in excess of, exceed, exceeds, exceeded, exceeding,
 over #, above #, longer than, wider than, better than, older than, above, rises above, go over, goes over
lt: less than, fewer than, lower than, smaller than, below #, under #, shorter than, narrower than, worse
 than,
 younger than, newer than, below, falls below, fall below
more gt: more, higher, greater, larger, longer, bigger, stronger, better, faster, older, wider
less lt: less, lower, smaller, fewer, shorter, weaker, worse, slower, younger, narrower
highest: highest, largest, greatest, biggest, longest, best, strongest
lowest: lowest, smallest, least, shortest, worst, weakest
same: same as, equal to, as much, equivalent to, the same, same, par
""",
    "before and after": """
before: before, prior to, earlier than, preceding, in advance of, in advance, ahead of, beforehand, ahead
after: after, subsequent to, subsequently, later than, thereafter, following @, following the, upon, once,
 in arrears, afterwards
until: until, till, up until, through @
since: since
last: last, latest, final, previous, previously, prior, former, formerly, past
next: next, upcoming, future, forthcoming, subsequent
first: initial, initially, earliest
""",
    "reasons": """
because: because, because of, thanks to, driven, primarily attributable, mainly attributable,
 largely attributable, resulting from, resulted from, led by,
  due primarily to, due mainly to, due largely to, caused by, so that, therefore, thus, hence, consequently,
 stemming from, reflecting
despite: although, though, even though, despite, in spite of, notwithstanding, regardless of, irrespective of,
 even if
""",
    "conditions": """
if: if, in the event, in case, assuming, contingent upon, contingent on, conditional on, conditioned on,
 depending on, depends on, depend on, provided, provided that, providing that, so long as, as long as,
  on condition, to the extent, subject to, where applicable, if applicable, dependent on, dependent upon,
 should
if after: when, whenever, where, once
unless: unless, except, except if, save if, except as, except for, excepting, other than, apart from, absent,
 aside from, excluding, exclusive of, save for, save that, save in, save where, save as, save to,
 otherwise than, with the exception of, but for, in the absence of
only-if: only if, if and only if, only when, only where, only at, only on, only in, only with, only once
whether: whether
""",
}
IGNORED = (
    "not only",
    "but also",
    "as well as",
    "no. #",
    "number of",
    "not limited to",
    "most recent",
    "most recently",
    "when #",
    "period of",
    "sum of",
    "amount of",
    "total of",
)


@cache
def phrases() -> dict[str, list[tuple[tuple[str, ...], str, frozenset[str]]]]:
    """By first word: the words of each phrase, longest first, its family and what it says."""
    listed: dict[tuple[str, ...], tuple[str, frozenset[str]]] = {}
    for family, text in _FAMILIES.items():
        for line in text.strip().replace("\n ", " ").split("\n"):
            says, _, spelled = line.partition(":")
            for phrase in spelled.split(","):
                parts = tuple(phrase.split())
                already = listed.get(parts, ("", frozenset()))
                also = already[1] if already[0] == family else frozenset[str]()
                listed[parts] = (family, frozenset(says.split()) | also)
    listed |= {parts: ("may and must", meaning) for parts, meaning in _prohibitions()}
    for modal in (*_FORBIDDEN.split(), "does", "do", "did"):
        listed[modal, "not", "exceed"] = ("more and less", frozenset({"le"}))
    listed |= {tuple(phrase.split()): ("", frozenset()) for phrase in IGNORED}
    by_first: dict[str, list[tuple[tuple[str, ...], str, frozenset[str]]]] = {}
    for parts, (family, meaning) in listed.items():
        by_first.setdefault(parts[0], []).append((parts, family, meaning))
    for entries in by_first.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return by_first


def _prohibitions() -> list[tuple[tuple[str, ...], frozenset[str]]]:
    """ "May not", "shall not", "is not entitled to" and their kin. "May not" can also say that something is
    possibly not so, which only another "may not" says.
    """
    found: list[tuple[tuple[str, ...], frozenset[str]]] = [
        ((modal, "not"), frozenset({"forbidden", f"{modal} not"})) for modal in _FORBIDDEN.split()
    ]
    found += [(("could", "not"), frozenset({"can not"})), (("might", "not"), frozenset({"may not"}))]
    for be in ("is", "are"):
        for word in _NOT_ENTITLED.split():
            found.append(((be, "not", word, "to"), frozenset({"forbidden"})))
            found.append(((be, word, "to"), frozenset({"may"})))
    return found
