"""Figures and dates as values: "$1.5 million" is "1,500,000 dollars", and "July 1" is "1 July"."""

import re
from dataclasses import dataclass

from text.months import MONTH_STOPPED, month_number

_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "millions": 1e6,
    "mn": 1e6,
    "mm": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "billions": 1e9,
    "bn": 1e9,
    "b": 1e9,
    "trillion": 1e12,
    "trillions": 1e12,
    "tn": 1e12,
}
_SMALL = (
    {
        word: number
        for number, word in enumerate(
            [
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
            ]
        )
    }
    | {
        word: 10 * number
        for number, word in enumerate(
            ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
        )
    }
    | {"dozen": 12}
)
ORDINALS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        1,
    )
}
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[6-9]|20)\d\d"
_LONGEST_FIRST = sorted(_SMALL, key=len, reverse=True)
_WORDS = "|".join(_LONGEST_FIRST)
NUMBER_WORDS = "|".join(word for word in _LONGEST_FIRST if word != "one")  # which is as often no number
_SPELLED = rf"(?:{_WORDS})(?:(?:\s+and\s+|[\s-]+)(?:{_WORDS}|hundred|thousand|million|billion|trillion)\b)*"
_CURRENCY = {
    "$": "$",
    "us$": "$",
    "usd": "$",
    "dollar": "$",
    "dollars": "$",
    "€": "€",
    "eur": "€",
    "euro": "€",
    "euros": "€",
    "£": "£",
    "gbp": "£",
    "pound": "£",
    "pounds": "£",
    "¥": "¥",
    "jpy": "¥",
    "yen": "¥",
    "cny": "cny",
    "rmb": "cny",
    "yuan": "cny",
    "chf": "chf",
    "cents": "¢",
    "cent": "¢",
    "pence": "¢",
    "₹": "₹",
    "inr": "₹",
    "rupees": "₹",
}
_UNIT = r"%|percentage\s+points?|basis\s+points?|bps|per\s?cent(?:age)?|u\.?s\.?\s+dollars?|" + "|".join(
    name for name in _CURRENCY if name.isalpha()
)
MONTH_DAY = re.compile(
    rf"\b(?:(?P<iso>{_YEAR})-(?P<im>\d\d)-(?P<id>\d\d)|(?P<um>\d{{1,2}})/(?P<ud>\d{{1,2}})/(?P<uy>\d{{4}}|\d\d)"
    rf"|(?P<d1>{_DAY})\s+(?:of\s+)?(?P<m1>{MONTH_STOPPED})(?![\w])(?:,?\s+(?P<y1>{_YEAR})\b)?"
    rf"|(?P<m2>{MONTH_STOPPED})\s+(?P<d2>{_DAY})\b(?![,.]?\d)(?!\s*%)(?:,?\s+(?P<y2>{_YEAR})\b)?"
    rf"|(?P<m3>{MONTH_STOPPED})(?:\s+of)?,?\s+(?P<y3>{_YEAR})\b)",
    re.IGNORECASE,
)
NUMBER = re.compile(
    rf"(?P<open>\()?(?P<minus>(?<![\w)])[-−–]\s?)?(?P<currency>us\$|[$€£¥₹]|\b(?:usd|eur|gbp|chf|rmb|inr)\s)?\s?"
    r"(?P<minus2>\((?=\d))?"
    rf"(?:(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?![\d])|\b(?P<spelled>{_SPELLED})\b)"
    r"(?:\s*\(\s*(?P<again>[\d,.]+)\s*\))?"
    r"(?P<close>\))?(?:[\s-]?(?P<scale>hundred|thousand|millions?|billions?|trillions?)\b|(?P<short>k|m|mm|mn|b|bn|tn)\b)?"
    rf"(?:[\s-]?(?P<unit>{_UNIT})(?!\w))?",
    re.IGNORECASE,
)
DAY_OR_MONTH = "day or month"  # the unit of 4/3, which is the third of April or the fourth of March
_YEAR_ALONE = re.compile(_YEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A value with its unit: "%", "pp", "bp", a currency sign, "year", "month", "day" or nothing."""

    value: float
    unit: str

    def carries(self, claimed: "Quantity") -> bool:
        """Whether a text with this quantity says the claimed one; a claim may leave the currency out."""
        same = abs(self.value - claimed.value) <= 1e-9 * max(abs(self.value), 1)
        bare = {claimed.unit, self.unit} == {"", "year"}  # "2000" may be no year: "over 2000 items"
        return same and (bare or claimed.unit == self.unit or (not claimed.unit and self.unit in "$€£¥₹"))

    def negated(self) -> "Quantity":
        return Quantity(value=-self.value, unit=self.unit)

    def rounds_to(self, claimed: "Quantity") -> bool:
        """Whether the claimed value is this one with fewer digits."""
        if claimed.unit not in {"", self.unit} or not claimed.value:
            return False
        size = 10.0 ** (len(f"{abs(claimed.value):.0f}") - 1)
        while size > 1e-6 and abs(claimed.value / size - round(claimed.value / size)) > 1e-9:
            size /= 10
        return abs(self.value - claimed.value) <= size / 2 and abs(self.value - claimed.value) <= 0.1 * abs(
            self.value
        )


def number_of(match: re.Match[str]) -> Quantity:
    """The value of a match of NUMBER."""
    digits, spelled = match["digits"], match["spelled"]
    if (
        digits
        and _YEAR_ALONE.fullmatch(digits)
        and not any(match[part] for part in ("currency", "scale", "unit", "short"))
    ):
        return Quantity(value=float(digits), unit="year")
    value = float(digits.replace(",", "")) if digits else _spelled(spelled)
    value *= (
        _SCALES[(match["scale"] or match["short"] or "").lower()] if match["scale"] or match["short"] else 1
    )
    negative = match["minus"] or match["minus2"] or (match["open"] and match["close"] and digits)
    return Quantity(value=-value if negative else value, unit=_unit(match["currency"], match["unit"]))


def date_of(match: re.Match[str]) -> list[Quantity]:
    """Day of the year (month * 100 + day; or month alone) and year of a match of MONTH_DAY, as far as it
    says. Of 4/3/2021 nobody can tell which is the month.
    """
    if match["iso"]:
        month, day, year = int(match["im"]), int(match["id"]), match["iso"]
    elif match["uy"]:
        month, day, year = int(match["um"]), int(match["ud"]), match["uy"]
        year = year if len(year) == 4 else f"20{year}"
        if month <= 12 and day <= 12 and month != day:
            return [
                Quantity(value=month * 100 + day, unit=DAY_OR_MONTH),
                Quantity(value=float(year), unit="year"),
            ]
        month, day = (day, month) if month > 12 else (month, day)
    else:
        number = match["d1"] or match["d2"]
        month = month_number(match["m1"] or match["m2"] or match["m3"])
        day = int(re.sub(r"\D", "", number)) if number else 0
        year = match["y1"] or match["y2"] or match["y3"]
    parts = [Quantity(value=month * 100 + day, unit="day") if day else Quantity(value=month, unit="month")]
    return [*parts, Quantity(value=float(year), unit="year")] if year else parts


def _spelled(text: str) -> float:
    total = current = 0.0
    for word in re.split(r"[\s-]+", text.lower()):
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0.0
    return total + current


def _unit(currency: str | None, unit: str | None) -> str:
    name = (unit or "").lower()
    if name.startswith("percentage p"):
        return "pp"
    if name.startswith(("basis", "bps")):
        return "bp"
    if name.startswith(("%", "per")):
        return "%"
    if "dollar" in name:
        return "$"
    return _CURRENCY.get(name) or _CURRENCY.get((currency or "").strip().lower(), "")
