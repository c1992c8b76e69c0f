"""Which English words stand for one another and which are opposites, by WordNet and by lists of our own."""

import re
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path

from text.stems import KEPT, stem

_FILE = Path(__file__).parent / "data" / "wordnet.txt"
# What WordNet has under rare meanings or not at all. Every word of a line may stand for every other one.
_SYNONYMS = """
company firm corporation enterprise
agreement contract
start begin commence
end terminate conclude
finish complete
established founded
ability capability
increase rise grow climb
decrease decline fall drop
reduce lower cut
buy purchase acquire
show demonstrate indicate
announce disclose report
get obtain receive
need require
help assist
use utilize employ
keep retain maintain
give provide supply furnish
employee worker staff personnel
client customer
supplier vendor provider
big large
substantial significant considerable
primary main principal
yearly annual
worldwide global
finish complete
consist comprise
happen occur
choose select
build construct
notify inform
hold own
inside within
mainly primarily principally chiefly
result lead
cause due
permit allow
forbid prohibit
ask request
send transmit
place location site
car automobile
person individual
lawsuit litigation
lawyer attorney
rule regulation
about regarding concerning
also additionally
however nevertheless
yet still
fast quick rapid
offset counterbalance
plant facility
pay compensate
effect impact
result outcome
total aggregate
sales turnover
enough sufficient adequate
quickly rapidly fast swiftly
currently presently now
major main
hard difficult
additional extra further
allow enable
ensure guarantee
change modify alter amend
stay remain
several numerous
whole entire
annually yearly
roughly approximately
often frequently
error mistake
goal objective aim target
area region
method approach technique
problem issue
answer response reply
study research
danger risk hazard
job position
home house residence
wage salary pay
fee charge
firm company
tell inform
demand request
produce manufacture make
carry transport
rely depend
try attempt
gather collect
examine inspect review
assess evaluate
assure guarantee
verify confirm check
raise increase
halt stop cease
launch introduce
ship deliver
link connect
split divide
speed velocity
enhance improve
resolve settle solve
prohibit ban bar
mandatory compulsory
optional voluntary
stock shares
"""
_OPPOSITES = """
increase decrease
increase decline
increase reduce
rise fall
rise decline
grow shrink
gain loss
profit loss
more less
more fewer
up down
raise lower
raise cut
inflow outflow
income expense
asset liability
debit credit
buy sell
purchase sell
purchase sale
lend borrow
lender borrower
lessor lessee
landlord tenant
buyer seller
purchaser seller
payer payee
debtor creditor
employer employee
licensor licensee
supplier customer
receivable payable
import export
include exclude
accept reject
approve reject
grant deny
allow prohibit
permit prohibit
gross net
long short
favorable unfavorable
begin end
start end
start stop
open close
before after
first last
minimum maximum
high low
higher lower
strong weak
improve deteriorate
improve worsen
exceed fall
domestic foreign
public private
short long
win lose
appoint remove
hire dismiss
expand contract
expand reduce
strengthen weaken
internal external
majority minority
current former
million billion
million thousand
day month
day year
month year
day week
week month
quarter year
"""
_SPELLINGS = [
    (re.compile(british), american)
    for british, american in (
        (r"is(e[sdr]?|ing|ations?)$", r"iz\1"), (r"ys(e[sd]?|ing)$", r"yz\1"), (r"(?<=\w\w\w)our", "or"),
        (r"tre(?=s?$)", "ter"), (r"ll(?=(?:ed|ing|er|ers|or)$)", "l"), (r"([ds])?ence(?=s?$)", r"\1ense"),
        (r"programme", "program"), (r"logue", "log"), (r"^grey", "gray"), (r"judgement", "judgment"),
        (r"^cheque", "check"),
    )
]  # fmt: skip
# Endings that make another word of the same stem: an employer is no employee, the larger is not the large.
_ANOTHER_WORD = ("er", "or", "ee", "ers", "ors", "ees", "est", "ist", "ists")
_NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "mis")


@cache
def _relations() -> dict[str, dict[str, set[str]]]:
    read: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            relation, one, other = line.split()
            read[relation][one].add(other)
            if relation in {"synonym", "related", "antonym"}:
                read[relation][other].add(one)
    return read


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    """For each root, the roots of the quote's words that carry a claim's word of that root."""
    carried: dict[str, set[str]] = defaultdict(set)
    for relation in ("synonym", "related"):
        for one, others in _relations()[relation].items():
            carried[root(one)] |= {root(other) for other in others}
    for one, others in _relations()["general"].items():
        for other in others:  # who bought has acquired, but who acquired may have been given
            carried[root(other)].add(root(one))
    for line in _SYNONYMS.split("\n"):
        roots = {root(word) for word in line.split()}
        for one in roots:
            carried[one] |= roots
    opposed = _opposites()
    return {one: frozenset(others - opposed.get(one, set()) - {one}) for one, others in carried.items()}


@cache
def _narrower() -> dict[str, frozenset[str]]:
    narrower: dict[str, set[str]] = defaultdict(set)
    for one, others in _relations()["kind"].items():
        for other in others:
            narrower[root(other)].add(root(one))
    return {one: frozenset(others - _opposites().get(one, set()) - {one}) for one, others in narrower.items()}


@cache
def _opposites() -> dict[str, set[str]]:
    pairs: dict[str, set[str]] = defaultdict(set)
    for one, others in _relations()["antonym"].items():
        pairs[root(one)] |= {root(other) for other in others}
    for line in _OPPOSITES.split("\n"):
        if line:
            one, other = (root(word) for word in line.split())
            pairs[one].add(other)
            pairs[other].add(one)
    return pairs


@lru_cache(maxsize=KEPT)
def root(word: str) -> str:
    """The stem by which words are compared: "rose" and "rising" are one, "employer" and "employee" two."""
    word = _american(word.lower().removesuffix("'s"))
    base = _american(next(iter(_relations()["irregular"].get(word, ())), word))
    short = stem(base)
    ending = base[len(short) :] if base.startswith(short) else ""
    return f"{short}-{ending.removesuffix('s')}" if ending in _ANOTHER_WORD else short


def carriers(one: str) -> frozenset[str]:
    """Roots that say what a claim's word of this root says."""
    return _synonyms().get(one, frozenset())


def kinds_of(one: str) -> frozenset[str]:
    """Roots of nouns that name a kind of what this root names: dogs are kinds of animals."""
    return _narrower().get(one, frozenset())


def are_opposites(one: str, other: str) -> bool:
    """Whether two roots, or near synonyms of them, are opposites."""
    if one == other:
        return False
    opposed, near = _opposites(), {other, *carriers(other)}
    return any(near & opposed.get(word, set()) for word in (one, *carriers(one)))


def _american(word: str) -> str:
    """The American spelling, so that "labour" and "labor" are one."""
    for british, american in _SPELLINGS:
        word = british.sub(american, word)
    return word


@lru_cache(maxsize=KEPT)
def without_negative_prefix(word: str) -> str:
    """ "able" of "unable"; empty when the word is not the negative of the rest."""
    for prefix in _NEGATIVE_PREFIXES:
        rest = word.removeprefix(prefix).lstrip("-")
        if (
            rest != word
            and len(rest) > 2
            and (rest == "able" or root(rest) in _opposites().get(root(word), ()))
        ):
            return rest
    return ""
