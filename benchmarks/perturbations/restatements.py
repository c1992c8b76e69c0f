"""The sentence said in other words, in another order or in fewer words, with the same sense."""

import re
import tomllib
from pathlib import Path
from random import Random

from benchmarks.perturbations.notation import dates, numbers
from benchmarks.perturbations.pairs import Pair, Sentence, kind, rewriting
from benchmarks.perturbations.rewriting import (
    AUXILIARY,
    FINITE,
    NEGATION,
    capital,
    small,
    stopped,
)
from benchmarks.perturbations.swaps import SWAPS

_VERBS = {
    voice: [[" ".join(form.split()) for form in verb.split("/")] for verb in verbs.split(",")]
    for voice, verbs in tomllib.loads(
        Path(__file__).with_name("verbs.toml").read_text(encoding="utf-8")
    ).items()
}
PARTICIPLES = dict(_VERBS["active"])
ACTIVE = {participle: (past, present) for participle, past, present in _VERBS["passive"]}
_ADVERBIAL = r"(?:In|On|At|During|After|Before|By|Since|Until|Within|From|Under|For|Between|As of|Throughout)"
_CONNECTIVE = re.compile(
    r"(?:In (?:addition|fact|particular|contrast|general|turn|short|other words)|For (?:example|instance))\b"
)
_SUBJECT = r"(?:the|an?|we|it|he|she|they|our|its|this|these|there|[A-Z]\w+)"
_LIMIT = re.compile(r"\b(?:if|provided|subject to|until|before|may|however|though|but)\b")
_VERBLESS = re.compile(
    r"\b(?:even|only|as|whether|except|and|or|that|which|who|time|day|moment|known|was|is|know\w*|ask\w*)$"
    r"|\b(?:if|that|which|who|said|but)\b"
)


@rewriting("as written", faithful=True)
def as_written(text: str, random: Random) -> str | None:
    """Without its full stop."""
    return text.rstrip(".")


@rewriting("word order", faithful=True)
def word_order(text: str, random: Random) -> str | None:
    """An adverbial from the front to the end, or a condition."""
    if _CONNECTIVE.match(text):
        return None
    match = re.match(rf"({_ADVERBIAL} [^,]{{4,60}}), ({_SUBJECT} [^,;:]{{15,}})\.$", text)
    if (
        match
        and not FINITE.search(match[1])
        and FINITE.search(match[2])
        and not match[1].endswith(("19", "20"))
    ):
        return f"{capital(match[2])} {small(match[1])}."
    match = re.match(
        r"(If|When|Where|Unless) ([^,;]{8,80}), ((?:the|a|an|we|it|he|she|they|our|its) [^,;:]{12,})\.$", text
    )
    if match:
        return f"{capital(match[3])} {match[1].lower()} {match[2]}."
    return None


@rewriting("condition to the front", faithful=True)
def condition_to_front(text: str, random: Random) -> str | None:
    match = re.match(
        r"([^,;:–]{20,}[a-z]) (if|unless|when) ((?:the|a|an|it|they|he|she|we|any|no) [^,;:]{10,})\.$", text
    )
    if not match or _VERBLESS.search(match[1]):
        return None
    return f"{capital(match[2])} {match[3]}, {small(match[1])}."


@rewriting("active / passive", faithful=True)
def passive(text: str, random: Random) -> str | None:
    """ "The Supplier shall repair the platform" as "The platform shall be repaired by the Supplier"."""
    verbs = "|".join(PARTICIPLES)
    match = re.match(
        rf"(The \w+|It|Each party|We) (shall|must|may|will|can) ({verbs}) "
        r"((?:the|a|an|all|each|any|this|that) [a-z][\w -]+?)"
        r"((?: (?:within|at|before|after|in|under|by|if|unless|for|without|every|when|on|to)\b [^,;]*)?)\.$",
        text,
    )
    if match and " and " not in match[4]:
        agent = "us" if match[1] == "We" else small(match[1])
        return f"{capital(match[4])} {match[2]} be {PARTICIPLES[match[3]]} by {agent}{match[5]}."
    match = re.match(
        rf"((?:The |An? |It\b)[\w' -]{{0,50}}|[A-Z][\w' -]{{2,50}}) (was|is|were|are) "
        rf"(?:also )?({'|'.join(ACTIVE)}) by "
        r"((?:the )?[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)*)((?: (?:in|on|at|for|from|under) [^,;]*)?)\.$",
        text,
    )
    if match and not re.search(rf"\b{AUXILIARY}\b", match[1]):
        past, present = ACTIVE[match[3]]
        verb = past if match[2] in {"was", "were"} else present
        return f"{capital(match[4])} {verb} {small(match[1])}{match[5]}."
    return None


@rewriting("shortened", faithful=True)
def shortened(text: str, random: Random) -> str | None:
    """Without a bracket, an aside between commas, or a relative clause at the end that only adds."""
    for pattern, left in (
        (r" \((?!\d)[^()+=]{6,}\)", ""),
        (r", (?:which|who|where|including|such as|for example)\b [^,;]{8,}\.$", "."),
        (r", (?:which|who|including) [^,;]{8,},(?= (?:is|are|was|were|shall|has|have|will))", ""),
        (
            r"^(?:Additionally|Furthermore|Moreover|In addition|Therefore|Also|Finally|In general), ",
            "",
        ),
    ):
        new = re.sub(pattern, left, text, count=1)
        if new != text and FINITE.search(new) and len(new.split()) >= 5 and not _holds_back(text, new):
            return capital(new)
    return None


def _holds_back(text: str, new: str) -> bool:
    """Whether what was dropped may limit what is left."""
    return len(NEGATION.findall(text)) != len(NEGATION.findall(new)) or bool(
        _LIMIT.search(text.lower().replace(new[:-1].lower(), "")) and not _LIMIT.search(new.lower())
    )


@rewriting("one of two joined clauses", faithful=True, held_back=True)
def one_of_two(text: str, random: Random) -> str | None:
    """ "A, and B" as A; "A; B" as B."""
    match = re.match(rf"([^,;:]{{25,}})(?:, and|;(?: and)?) ({_SUBJECT} [^,;:]{{20,}}\.)$", text)
    if (
        not match
        or not re.search(rf"\b{AUXILIARY}\b", match[1])
        or not re.search(rf"^(?:\w+ ){{1,4}}{AUXILIARY}\b", match[2])
    ):
        return None
    if re.search(r"\b(?:if|when|unless|because|although|while|that|either|whether|between)\b", match[1]):
        return None
    return (
        stopped(match[1])
        if random.random() < 0.5 or re.match("it|they|he|she|its|this", match[2])
        else stopped(match[2])
    )


@rewriting("list in another order", faithful=True, held_back=True)
def list_order(text: str, random: Random) -> str | None:
    word = r"[A-Za-z][\w'-]+(?: [a-z][\w'-]+)?"
    match = re.search(
        rf"(?:(?<= of )|(?<=include )|(?<=includes )|(?<= for )|(?<= with )|(?<=including )|(?<= in ))"
        rf"({word}), ({word}),? and ({word})(?=[.;])",
        text,
    )
    if (
        not match
        or "respectively" in text
        or re.search(r"\b(?:the|a|its|their|other|twice|yet)\b", match.group(), re.IGNORECASE)
    ):
        return None
    return text[: match.start()] + f"{match[3]}, {match[1]} and {match[2]}" + text[match.end() :]


@rewriting("list shortened", faithful=True, held_back=True)
def list_shortened(text: str, random: Random) -> str | None:
    """ "including A, B and C" without C."""
    match = re.search(
        r"\b((?:including|includes?|such as) )([^,;()]{3,40}), ([^,;().]{3,40}),? and (?:\w+ ){0,2}\w+\.$",
        text,
    )
    if not match or NEGATION.search(text) or re.match(r"\w+ing\b", match[3]):
        return None
    return f"{text[: match.start()]}{match[1]}{match[2]} and {match[3]}."


@rewriting("possessive turned", faithful=True, held_back=True)
def possessive(text: str, random: Random) -> str | None:
    """ "the revenue of the company" as "the company's revenue"."""
    match = re.search(
        r"\b([Tt])he (\w+) of the (company|Company|Supplier|Customer|group|film|city|country|series|band"
        r"|team|album|river|state|book|building|bridge|school)(?=[.,]| (?:is|was|are|were|has|in|and|to)\b)",
        text,
    )
    if not match or match[2] in {"one", "rest", "part", "end", "most", "use", "majority", "first", "north"}:
        return None
    return f"{text[: match.start()]}{match[1]}he {match[3]}'s {match[2]}{text[match.end() :]}"


@kind("clauses joined", faithful=True)
def joined(sentence: Sentence, random: Random) -> Pair | None:
    """Two sentences that follow each other, in one claim."""
    if not sentence.following or len(sentence.text.split()) + len(sentence.following.split()) > 50:
        return None
    if re.match(
        r"(?:However|But|This|These|Those|Such|That|Therefore|Also|Additionally|If|Nevertheless)\b",
        sentence.following,
    ):
        return None
    claim = f"{sentence.text.rstrip('.')}, and {small(sentence.following)}"
    return Pair(claim=claim, quote=f"{sentence.text} {sentence.following}")


@kind("one sentence of a longer quote", faithful=True)
def one_sentence(sentence: Sentence, random: Random) -> Pair | None:
    if not sentence.before or not sentence.following:
        return None
    return Pair(claim=sentence.text, quote=" ".join((sentence.before, sentence.text, sentence.following)))


@kind("pronoun resolved", faithful=True)
def pronoun(sentence: Sentence, random: Random) -> Pair | None:
    """ "It ..." after a sentence about one thing: the claim names the thing."""
    opening = re.match(r"(It|They|He|She) (?=[a-z]+)", sentence.text)
    subject = re.match(
        r"(The [a-z]+(?: [a-z]+)?|The [A-Z]\w+|[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)*) "
        rf"(?:\([^)]*\) )?{AUXILIARY}\b",
        sentence.before,
    )
    if (
        not opening
        or not subject
        or subject[1].split()[0] in {"It", "They", "He", "She", "This", "There", "We", "In"}
    ):
        return None
    if (
        re.match(
            r"It (?:is|was|has been) (?:\w+ (?:that|to|for)\b|\w+ed\b|understood|said|known)", sentence.text
        )
        or "said" in sentence.before
    ):
        return None
    plural = subject[1].endswith("s") and not subject[1].endswith("ss")
    if (opening[1] == "They") != plural or (opening[1] in {"He", "She"} and subject[1].startswith("The ")):
        return None
    claim = subject[1] + " " + sentence.text[opening.end() :]
    return Pair(claim=claim, quote=f"{sentence.before} {sentence.text}")


@rewriting("introduced as what the document says", faithful=True)
def introduced(text: str, random: Random) -> str | None:
    lead = random.choice(
        (
            "According to the document, ",
            "The text states that ",
            "As the source puts it, ",
            "It is stated that ",
        )
    )
    return lead + small(text)


@rewriting("two changes at once", faithful=True, held_back=True)
def two_changes(text: str, random: Random) -> str | None:
    """A synonym or a number written differently, and then another order or fewer words."""
    first = [SWAPS["synonym"], numbers, dates, SWAPS["contractions"]]
    second = [word_order, shortened, SWAPS["synonym, other words"], passive]
    random.shuffle(first)
    random.shuffle(second)
    for one in first:
        changed = one(text, random)
        for other in second if changed else []:
            if changed and (again := other(changed, random)):
                return again
    return None
