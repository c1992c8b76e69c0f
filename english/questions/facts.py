"""Questions for a fact within a sentence: who, when, how many, where, why. Only of a sentence that stands by
itself, in plain order, and only where what is left of it tells which fact is meant.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from english.closed_classes import AUXILIARIES, BE, one_of
from english.dates import MONTH, NTH
from english.lexicon import base_of_past, is_past_form, verb_reading
from english.names import PERSON_TITLES
from english.questions.counting import how_many
from english.statements import (
    Fact,
    Statement,
    has_verb,
    is_referring,
    plain_subject,
    statement_of,
    without_number,
)
from text.word_lists import FUNCTION_WORDS, words

FACTS = words("who when where why what") | {"who is", "how many"}  # kinds
LONGEST = 260  # characters of a sentence
LONGEST_QUESTION = 130
TELLING = 5  # content words by which the fact is known; fewer with a name or a figure among them
TELLING_NAMED = 3

_SPEECH = words(
    "said cried replied asked answered returned told exclaimed added says adds asks thought called"
)
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_UNPLAIN = re.compile(r"[;:()\[\]“”\"!?•|/]|\s[-–—]+\s|--|—|\.\.|(?:^|\s)['‘]|\b(?:e\.g|i\.e)\.")
_POSSESSIVE = re.compile(r"\b(?:his|her|its|their)\b")
_DATE = (
    rf"(?:(?:the )?(?:{NTH}(?: of)? )?{MONTH}(?: {NTH})?,?"
    r"(?: (?:1[5-9]|20)\d\d)?|(?:1[5-9]|20)\d\d)\b"
)
_FRONT_DATE = re.compile(rf"(?P<lead>In|On|By|During) (?P<date>{_DATE}),? (?=[A-Za-z])")
_END_DATE = re.compile(rf" (?:on|in|during) (?P<date>{_DATE})$")
_PLACED = re.compile(
    r"(?P<subject>.+?) (?P<be>is|are|was|were) (?P<how>(?:\w+ly )?(?:located|based|situated|headquartered"
    r"|held|born|built|buried|incorporated|registered|stored|kept|housed)) (?:in|at|on|near) (?:the |an? )?"
    r"(?P<place>[A-Z]\w.*)"
)
_BY = re.compile(
    r"(?P<subject>.+?) (?P<be>is|are|was|were) (?P<done>\w+ed|built|made|run|led|held|won) by (?P<whom>.+)"
)
_USED = re.compile(
    r"(?P<subject>[^,]+?) (?P<be>is|are|was|were) used (?P<lead>to|for) (?P<told>\w+ing .+|[a-z]+ .+)"
)
_FOUND = re.compile(
    r"(?P<subject>[^,]+?) (?P<verb>found|finds?|shows?|showed|suggests?|suggested|indicates?|indicated"
    r"|concludes?|concluded|recommends?|recommended|reveals?|revealed|demonstrates?|demonstrated|reports?|reported"
    r"|argues?|argued|estimates?|estimated|states?|stated) that (?P<told>.+)"
)
_BEFORE_NAME = re.compile(rf"(?:The|{one_of(map(str.capitalize, PERSON_TITLES))}\.?) ")
_IDENTIFIED = re.compile(r"(?P<be>is|was) (?:an?|the) \w+.*")
_APPOSED = re.compile(r", (?P<who>the [a-z][^,]{5,70}), (?P<verb>\w+)\b")
_CLAUSE = re.compile(
    r", (?:which|who|whose|where|while|and|but|as|with|because|although|so|when|after|before|since|until|at"
    r"|in|on|by|for|from|to|under|during|including|\w+ing)\b"
)


def facts(sentence: str, written: Collection[str], names: Mapping[str, bool]) -> Iterator[Fact]:
    """Questions of a sentence with folded white space.

    written: the document's words as it writes them within a sentence. names: of people and organisations as
    they are written in the passage, and whether each is a person.
    """
    said = _BRACKETS.sub("", without_number(sentence))
    if not said.endswith(".") or len(said) > LONGEST or not said[0].isupper() or _UNPLAIN.search(said):
        return
    said = said.rstrip(".")
    front = _FRONT_DATE.match(said)
    body = said[front.end() :] if front else said
    when = f" {front['lead'].lower()} {front['date']}" if front else ""
    found = [
        *_who(body, when, names),
        *_when(body, front["date"] if front else "", written),
        *how_many(_main(body), when, written),
        *_where(body, when, written),
        *_why(body, when, written),
        *_by_whom(body, when, written, names),
        *_told(body, when, written),
    ]
    yield from (fact for fact in found if _is_plain(fact))


def _is_plain(fact: Fact) -> bool:
    """Whether it can be understood without context, and says which fact is meant."""
    asked = fact.question
    if len(asked) > LONGEST_QUESTION or "," in asked or _UNPLAIN.search(asked.removesuffix("?")):
        return False
    if is_referring(_POSSESSIVE.sub("", asked) if fact.kind == "who" else asked):
        return False
    content = [word for word in asked.rstrip("?").split()[1:] if word.lower() not in FUNCTION_WORDS]
    if fact.kind == "who is":
        return bool(content)
    is_named = any(word[0].isupper() or any(map(str.isdigit, word)) for word in content)
    is_of_one = asked.startswith(("Who is the ", "Who was the "))
    return len(content) >= (TELLING_NAMED if is_named or is_of_one or fact.kind == "what" else TELLING)


def _main(clause: str) -> str:
    """Without what a comma joins to it; empty where the commas are those of a list."""
    main = _CLAUSE.split(clause)[0]
    return "" if "," in main else main


def _first_verb(main: str) -> str:
    """ "opened a shop" of "opened a shop and sold tea"."""
    own = main.split()
    ends = (n for n, word in enumerate(own[:-1]) if n and word in {"and", "but"} and base_of_past(own[n + 1]))
    return " ".join(own[: next(ends, len(own))])


def _who(body: str, when: str, names: Mapping[str, bool]) -> Iterator[Fact]:
    """ "Who opened the depot in Leeds?", of a sentence whose subject is a name."""
    before = _BEFORE_NAME.match(body)
    title = before[0] if before else ""
    own = body.removeprefix(title)
    name = max((each for each in names if own.startswith((f"{each} ", f"{each},"))), key=len, default="")
    if not name:
        return
    is_person, rest = names[name], own[len(name) :]
    if (apposed := _APPOSED.match(rest)) and is_person:
        be = "was" if base_of_past(apposed["verb"]) or apposed["verb"] in {"was", "had"} else "is"
        yield Fact(question=f"Who {be} {apposed['who']}?", kind="who", subject=name, answer=f"{title}{name}")
        return
    rest = _first_verb(_main(rest.strip()))
    if rest and (identified := _IDENTIFIED.fullmatch(rest)):
        asked = "Who" if is_person else "What"
        told = rest.removeprefix(f"{identified['be']} ")
        whom = f"{title.replace('The', 'the')}{name}"
        yield Fact(question=f"{asked} {identified['be']} {whom}?", kind="who is", subject=name, answer=told)
    elif rest and _is_said_of_one(rest.split()):
        asked = "Who" if is_person else "Which organisation"
        yield Fact(question=f"{asked} {rest}{when}?", kind="who", subject=name, answer=f"{title}{name}")


def _is_said_of_one(rest: Sequence[str]) -> bool:
    """Whether it begins with the verb of one person or thing."""
    verb, following = rest[0], rest[1] if len(rest) > 1 else ""
    if verb in _SPEECH or (following == "by" and verb not in AUXILIARIES) or following == "not":
        return False
    if verb in BE:
        done = next(
            (word for word in rest[1:] if not word.endswith("ly") and word not in {"also", "best"}), ""
        )
        return verb in {"is", "was"} and is_past_form(done)
    if verb in AUXILIARIES:
        return verb not in {"have", "do", "did", "does"}
    is_present = verb.endswith("s") and not verb.endswith("ss") and verb_reading(verb) == "mostly"
    return verb.islower() and (bool(base_of_past(verb)) or is_present)


def _when(body: str, date: str, written: Collection[str]) -> Iterator[Fact]:
    """ "When did Acme open its depot?", of a sentence that begins or ends with a date."""
    main = _first_verb(_main(body)) if date else _main(body)
    if not date and (end := _END_DATE.search(main)):
        date, main = end["date"], main[: end.start()]
    split = statement_of(main, written) if date and not re.search(rf"\b{_DATE}", main) else None
    if split and (split.does or _is_done(split)):
        yield Fact(question=f"When {split.asked()}?", kind="when", subject=split.subject, answer=date)


def _is_done(split: Statement) -> bool:
    """ "was opened in Leeds": the time is that of the one verb."""
    done, *rest = split.rest.split() or [""]
    return split.verb in BE and (is_past_form(done) or done == "born") and not has_verb(rest)


def _why(body: str, when: str, written: Collection[str]) -> Iterator[Fact]:
    main, found, cause = body.partition(" because ")
    split = (
        statement_of(_main(main.rstrip(",")), written) if found and not cause.startswith("of this") else None
    )
    if split and split.does:
        yield Fact(question=f"Why {split.asked()}{when}?", kind="why", subject=split.subject, answer=cause)


def _by_whom(body: str, when: str, written: Collection[str], names: Mapping[str, bool]) -> Iterator[Fact]:
    """ "By whom was the depot in Leeds opened?", where a name comes after "by"."""
    if (found := _BY.fullmatch(_main(body))) and (subject := plain_subject(found["subject"], written)):
        whom = found["whom"]
        if whom.removeprefix("the ") in names:
            asked = f"By whom {found['be']} {subject} {found['done']}{when}?"
            yield Fact(question=asked, kind="who", subject=subject, answer=whom)


def _told(body: str, when: str, written: Collection[str]) -> Iterator[Fact]:
    """ "What is the depot in Leeds used for?", "What did the survey of the depots find?" """
    if found := _USED.fullmatch(body):
        asked, lead = f"What {found['be']} {{}} used for", found["lead"]
    elif found := _FOUND.fullmatch(body):
        past = base_of_past(found["verb"])
        does = "did" if past else "does" if found["verb"].endswith("s") else "do"
        asked, lead = f"What {does} {{}} {past or found['verb'].removesuffix('s')}", ""
    else:
        return
    if subject := plain_subject(found["subject"], written):
        answer = f"{lead} {found['told']}".strip()
        yield Fact(question=f"{asked.format(subject)}{when}?", kind="what", subject=subject, answer=answer)


def _where(body: str, when: str, written: Collection[str]) -> Iterator[Fact]:
    if placed := _PLACED.fullmatch(_main(body)):
        subject = plain_subject(placed["subject"], written)
        if any(word[0].isupper() for word in subject.split()):
            asked = f"Where {placed['be']} {subject} {placed['how']}{when}?"
            yield Fact(question=asked, kind="where", subject=subject, answer=placed["place"])
