"""Contradictions that take more than another word: parties, conditions, cuts, added facts."""

import re
from random import Random

from benchmarks.perturbations.contradictions import digits, negation_in, negation_out
from benchmarks.perturbations.pairs import Pair, Sentence, kind
from benchmarks.perturbations.rewriting import AUXILIARY, FINITE, capital, small, stopped
from benchmarks.perturbations.swaps import SWAPS

CONDITION = (
    r"(?:unless|except|provided that|subject to(?= (?:the|any|its|our|certain|clause|approval|a)\b)"
    r"|but only if|only if|if|so long as|to the extent)"
)
_DENIED = (  # what a negation takes back together with the clause behind it
    r"\b(?:(?:not|no|never|nothing|without|cannot)\b[^,;]{0,40}?\b(?:evidence|assurance|certain\w*|guarantee|believe|"
    r"suggest\w*|indicat\w+|mention|say|argue|mean|claim|sure|think|show|proof|prove|assume|conclude\w*|determine|"
    r"ensure|expect|annul)|den(?:y|ie[sd])|doubts?|false|untrue|incorrect)\b"
)
# British, Norwegian, Japanese.
_ADJECTIVE = re.compile(r"(?:ish|ian|ese|can|s)$")
_ROLES = r"(?:Supplier|Customer|Company|Buyer|Seller|Borrower|Lender)"


@kind("condition dropped")
def condition_dropped(sentence: Sentence, random: Random) -> Pair | None:
    """The claim ends before "unless ..."; the quote has it."""
    cut = _before_condition(sentence.text)
    return Pair(claim=cut, quote=sentence.text) if cut else None


@kind("quote cut before its condition")
def quote_cut(sentence: Sentence, random: Random) -> Pair | None:
    """Claim and quote end before "unless ..."; the passage goes on with it."""
    cut = _before_condition(sentence.text)
    if not cut:
        return None
    quote = cut.rstrip(".")
    return Pair(
        claim=cut,
        quote=sentence.text[: len(quote)],
        context=" ".join((sentence.before, sentence.text)).strip(),
    )


def _before_condition(text: str) -> str | None:
    match = re.search(rf",? {CONDITION}\b(?! any\b| not\b| applicable| need be| only because)", text)
    if not match:
        return None
    head = text[: match.start()]
    if (
        len(head.split()) < 5
        or not FINITE.search(head)
        or re.search(
            r"\b(?:even|as|see|or|and|but|not|whether|ask\w*|is|are|was|were|be|except|only|that|however)$",
            head,
        )
    ):
        return None
    return head + "."


@kind("condition in front dropped")
def front_condition_dropped(sentence: Sentence, random: Random) -> Pair | None:
    """ "If ..., it does" becomes "It does"."""
    match = re.match(
        r"(?:If|Unless|Provided that|Subject to|Until|Where|Except) [^,]{8,90}, "
        r"((?:the|an?|we|it|they|he|she|our|its|all|any|this|these|you|one|no|each|clause) .{20,})$",
        sentence.text,
    )
    if not match or not re.match(rf"(?:\S+ ){{1,8}}{AUXILIARY}\b", match[1]):
        return None
    return Pair(claim=stopped(match[1]), quote=sentence.text)


@kind("quote cut after a negation", held_back=True)
def cut_after_negation(sentence: Sentence, random: Random) -> Pair | None:
    """ "There is no evidence that it works": claim and quote begin after "that"."""
    match = re.match(
        rf".{{0,60}}{_DENIED}[^,;]{{0,30}}?(?<!so )\b(?:that|whether) (.{{20,}})$", sentence.text
    )
    if not match or not FINITE.search(match[1]) or match[1].split()[0] in {"be", "have", "do"}:
        return None
    if not re.match(r"(?:the|a|an|it|they|he|she|we|our|its|their|any|all|such|[A-Z]\w+)\b", match[1]):
        return None
    return Pair(claim=stopped(match[1]), quote=match[1], context=sentence.text)


@kind("head noun dropped")
def head_dropped(sentence: Sentence, random: Random) -> Pair | None:
    """ "The sale of the bank was delayed" becomes "The bank was delayed"."""
    match = re.match(
        rf"(?:The|Our|Its|A) [a-z]+ of ((?:the |our |its )?[a-z]+) ({AUXILIARY}\b [^,;]{{8,}})$",
        sentence.text,
    )
    return Pair(claim=capital(f"{match[1]} {match[2]}"), quote=sentence.text) if match else None


@kind("restriction dropped under all or no")
def restriction_dropped(sentence: Sentence, random: Random) -> Pair | None:
    """ "All staff in Leeds have keys" becomes "All staff have keys"."""
    match = re.match(
        r"((?:All|No|Every|Each|Any) (?:of the )?[a-z]+) (?:in|of|from|with|under|at|on|for) [^,;]{3,40}? "
        rf"({AUXILIARY}\b [^;]+)$",
        sentence.text,
    )
    return Pair(claim=f"{match[1]} {match[2]}", quote=sentence.text) if match else None


@kind("parties swapped")
def parties_swapped(sentence: Sentence, random: Random) -> Pair | None:
    """The party that does it and the one to which it is done change places."""
    text = sentence.text
    proper = [name for name in sentence.names if re.search(r"[a-z]", name) and not _ADJECTIVE.search(name)]
    names = "|".join([_ROLES, *map(re.escape, sorted(proper, key=len, reverse=True))])
    verb = rf"(?:{AUXILIARY}|\w+ed|owns|pays|gives|made|beat|won|wrote|led|holds|sells|leads)"
    match = re.match(
        rf"(?P<a>(?:The )?(?:{names})) (?P<between>{verb} [^,;()]*?)"
        rf"(?P<b>\bthe (?:{_ROLES})|(?<!the )(?<!an )(?<!\ba )\b(?:{names}))\b(?!['’]s| [A-Z]|-)",
        text,
    )
    if not match or re.search(
        r"\b(?:and|or|between|with|married|met|as|near|same|like|both|than|each other)\b", match["between"]
    ):
        return None
    one, other = match["a"], match["b"]
    if re.search(r"[A-Z]\S* $", match["between"]):
        return None
    if (
        one.lower() == other.lower()
        or len(re.findall(re.escape(one), text)) + len(re.findall(re.escape(other), text)) > 2
    ):
        return None
    back = small(one) if one.startswith("The ") else one
    return Pair(claim=capital(other) + " " + match["between"] + back + text[match.end() :], quote=text)


@kind("name exchanged")
def name_exchanged(sentence: Sentence, random: Random) -> Pair | None:
    """A name in the sentence gives way to another one of the same document."""
    text = sentence.text
    present = [name for name in sentence.names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    if not present:
        return None
    old = random.choice(present)
    others = [
        name
        for name in sentence.names
        if not set(name.split()) & set(text.replace(",", " ").replace(".", " ").split())
        and len(name.split()) == len(old.split())
    ]
    if not others:
        return None
    new = random.choice(others)
    return Pair(claim=re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", new, text), quote=text)


@kind("fact of another sentence added", held_back=True)
def fact_added(sentence: Sentence, random: Random) -> Pair | None:
    if sentence.other in (sentence.text, sentence.before, sentence.following):
        return None
    return Pair(claim=f"{sentence.text.rstrip('.')}, and {small(sentence.other)}", quote=sentence.text)


@kind("about something else", held_back=True)
def other_sentence(sentence: Sentence, random: Random) -> Pair | None:
    """The claim is a sentence of the same document that does not stand in the quote."""
    return Pair(claim=sentence.other, quote=sentence.text) if sentence.other != sentence.text else None


@kind("contradiction in a longer quote", held_back=True)
def in_longer_quote(sentence: Sentence, random: Random) -> Pair | None:
    """Three sentences are quoted; the claim denies the one in the middle, or changes its figures."""
    if not sentence.before or not sentence.following:
        return None
    rewrites = [negation_in, negation_out, digits, SWAPS["antonym"]]
    random.shuffle(rewrites)
    quote = " ".join((sentence.before, sentence.text, sentence.following))
    claim = next(filter(None, (rewrite(sentence.text, random) for rewrite in rewrites)), None)
    return Pair(claim=claim, quote=quote) if claim else None
