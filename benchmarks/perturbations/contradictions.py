"""One word or phrase of the sentence changed, so that the claim says something else."""

import re
from random import Random

from benchmarks.perturbations.pairs import rewriting
from benchmarks.perturbations.rewriting import AUXILIARY, NEGATION, put, stopped
from english.dates import MONTHS

CURRENCIES = {"$": "€", "€": "£", "£": "$", "¥": "$"}
_NUMBERED = re.compile(
    rf"(?:{'|'.join(MONTHS)}|clause|section|note|schedule|item|part|rule|article|figure|table)s? $",
    re.IGNORECASE,
)
LONG_MONTHS = ["January", "March", "May", "July", "August", "October", "December"]
NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@rewriting("negation put in")
def negation_in(text: str, random: Random) -> str | None:
    """After the first auxiliary, if no subordinate clause stands before it."""
    if NEGATION.search(text):
        return None
    match = re.search(
        r"\b(?:is|are|was|were|will|shall|may|must|can|should|would|could"
        r"|(?:has|have|had)(?= \w+(?:ed|en|wn|de)\b))\b",
        text,
    )
    if not match or re.search(
        r"\b(?:that|which|who|whom|whose|if|when|where|while|as|because|although|since|whether|what|how)\b|[,;:]",
        text[: match.start()],
        re.IGNORECASE,
    ):
        return None
    return f"{text[: match.end()]} not{text[match.end() :]}"


@rewriting("negation taken out")
def negation_out(text: str, random: Random) -> str | None:
    if len(NEGATION.findall(text)) != 1 or re.search(
        r"\b(?:not (?:only|limited|necessarily)|whether or not|no later)\b", text
    ):
        return None
    if re.search(rf"\b{AUXILIARY} not (?!more|less|later|earlier|fewer)", text):
        return re.sub(rf"\b({AUXILIARY}) not ", r"\1 ", text, count=1)
    for before, after in (
        (r"\bcannot\b", "can"),
        (r"\bno longer\b", "still"),
        (r"\bnever\b", "always"),
        (r"\bn['’]t\b", ""),
        (r"\b(has|have|had|is|was|are|were) no\b", r"\1 a"),
        (r"^No\b", "Every"),
        (r"\bneither\b", "either"),
    ):
        changed = re.sub(before, after, text, count=1)
        if changed != text:
            return changed
    return None


@rewriting("figure changed")
def digits(text: str, random: Random) -> str | None:
    """One digit of a figure that is no year, no date and no number of a clause."""
    fits = [
        match
        for match in re.finditer(r"(?<![\w.,-])[$€£]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w–-]|[.,]\d)", text)
        if not re.fullmatch(r"(?:1[5-9]|20)\d\d", match.group())
        and not _NUMBERED.search(text[: match.start()])
        and not re.match(rf" (?:{'|'.join(MONTHS)})", text[match.end() :])
    ]
    if not fits:
        return None
    match = random.choice(fits)
    places = [n for n, character in enumerate(match.group()) if character.isdigit()]
    place = match.start() + random.choice(places[:2])
    new = random.choice([digit for digit in "123456789" if digit != text[place]])
    return text[:place] + new + text[place + 1 :]


@rewriting("number word changed", held_back=True)
def number_word(text: str, random: Random) -> str | None:
    fits = list(re.finditer(rf"\b(?:{'|'.join(NUMBERS)})\b(?! \(| or )", text))
    if not fits:
        return None
    match = random.choice(fits)
    new = random.choice([number for number in NUMBERS if not re.search(rf"\b{number}\b", text)])
    return put(text, match.start(), match.end(), new)


@rewriting("year or month changed")
def period(text: str, random: Random) -> str | None:
    """Another year or month."""
    fits = list(re.finditer(r"(?<![\d/,.$-])(?:1[5-9]|20)\d\d(?![\d/–-]|[.,]\d)", text))
    if fits and random.random() < 0.7:
        match = random.choice(fits)
        year = str(int(match.group()) + random.choice((-2, -1, 1, 2)))
        return None if year in text else put(text, match.start(), match.end(), year)
    months = list(re.finditer(rf"\b(?:{'|'.join(MONTHS)})\b(?= \d|,? (?:1|2)\d{{3}})", text))
    if not months:
        return None
    match = random.choice(months)
    new = random.choice([month for month in LONG_MONTHS if month not in text])
    return put(text, match.start(), match.end(), new)


@rewriting("currency changed")
def currency(text: str, random: Random) -> str | None:
    signs = [sign for sign in CURRENCIES if re.search(rf"(?<!\w){re.escape(sign)} ?\d", text)]
    if not signs:
        return None
    sign = random.choice(signs)
    return text.replace(sign, CURRENCIES[sign])


@rewriting("percent / points")
def percent(text: str, random: Random) -> str | None:
    if re.search(r"\bpoints?\b", text):
        return re.sub(r"(?:percentage|basis) points?", "percent", text, count=1)
    share = r"(?<=\d)(?: ?%| per ?cent\b)"
    grows = re.search(
        rf"\b(?:increase|decrease|rose|fell|up|down|gr[eo]w|decline|reduc)\w*\b[^.;]{{0,20}}{share}", text
    )
    return re.sub(
        share,
        random.choice((" percentage points", " basis points")) if grows else " basis points",
        text,
        count=1,
    )


@rewriting("hedge dropped", held_back=True)
def hedge(text: str, random: Random) -> str | None:
    """What is expected, likely or approximate becomes certain or exact."""
    changes = [
        (r"\b(?:approximately|about|around|nearly|roughly|almost) (?=[$€£]?\d)", "exactly "),
        (r"\b(?:expects|intends|plans|aims|hopes|anticipates) to\b(?! (?:be|have))", "will certainly"),
        (r"\b([Ww]e) (?:expect|intend|plan) to\b(?! (?:be|have))", r"\1 will certainly"),
        (r"\b(?:is|are) (?:not un)?likely to\b", "will"),
        (r"\b(?:could|might) (?!not|have)", "will "),
        (r"\bappears? to be\b", "is"),
        (r"\b(?:possibly|probably|perhaps|allegedly|reportedly) ", ""),
        (
            r"\b(?:is|are|was|were) (?:believed|thought|said|alleged|considered|reported) to be\b",
            "is proven to be",
        ),
    ]
    fits = [(before, after) for before, after in changes if re.search(before, text)]
    if not fits:
        return None
    before, after = random.choice(fits)
    return re.sub(before, after, text, count=1)


@rewriting("attribution dropped")
def attribution(text: str, random: Random) -> str | None:
    """What somebody believes or alleges becomes a fact."""
    if re.match(r"(?:Although|Because|While|If|When|Since|However)\b", text):
        return None
    match = re.match(
        r"[^,;]{2,60}?\b(?:believe[sd]|(?:[Ww]e|[Tt]hey|also|may|might|could) "
        r"(?:believe|claim|assert|allege|argue|think)|alleged?s?|claimed|argue[sd]|contend(?:s|ed)|assert(?:s|ed)|suspect(?:s|ed)|estimate[sd]|suggest(?:s|ed)|hope[sd]|fear(?:s|ed)|"
        r"propose[sd]|speculate[sd]|assume[sd]|expect(?:s|ed)|doubt(?:s|ed)|predict(?:s|ed)) that (.{25,})$",
        text,
    )
    return stopped(match[1]) if match else None


@rewriting("from ... to turned", held_back=True)
def from_to(text: str, random: Random) -> str | None:
    """The two figures of "from 3 to 5", or of "3 and 5, respectively", in each other's place."""
    figure = r"[$€£]?\d[\d,.]*\d(?: (?:million|billion|thousand))?%?"
    for pattern in (
        rf"\bfrom ({figure}) (to) ({figure})",
        rf"({figure}) (and) ({figure})(?=,? respectively)",
    ):
        match = re.search(pattern, text)
        if match and match[1] != match[3]:
            return text[: match.start(1)] + f"{match[3]} {match[2]} {match[1]}" + text[match.end(3) :]
    return None
