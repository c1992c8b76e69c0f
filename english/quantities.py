"""Figures as values: "$1.5 million" is "1,500,000 dollars"."""

import re
from dataclasses import dataclass

_SCALES = {
    name: scale
    for scale, names in (
        (1e2, "hundred"),
        (1e3, "thousand k"),
        (1e6, "million millions mn mm m"),
        (1e9, "billion billions bn b"),
        (1e12, "trillion trillions tn"),
    )
    for name in names.split()
}


def in_order(text: str, first: int = 1, each: int = 1) -> dict[str, int]:
    """Words that are numbers, each with its own, from `first` on."""
    return {word: each * number for number, word in enumerate(text.split(), first)}


NUMBERS = in_order(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
)
_SMALL = NUMBERS | in_order("twenty thirty forty fifty sixty seventy eighty ninety", 2, each=10)
_SMALL |= {"zero": 0, "dozen": 12}
ORDINALS = in_order("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_LONGEST_FIRST = sorted(_SMALL, key=len, reverse=True)
_WORDS = "|".join(_LONGEST_FIRST)
NUMBER_WORDS = "|".join(word for word in _LONGEST_FIRST if word != "one")  # which is as often no number
_SPELLED = rf"(?:{_WORDS})(?:(?:\s+and\s+|[\s-]+)(?:{_WORDS}|hundred|thousand|million|billion|trillion)\b)*"
UNIT_OF_TIME = "(?:second|minute|hour|day|night|week|month|quarter|year)"  # of a pattern
_CURRENCY = {
    name: sign
    for sign, *names in (
        each.split()
        for each in (
            "$ $ us$ usd dollar dollars",
            "€ € eur euro euros",
            "£ £ gbp pound pounds",
            "¥ ¥ jpy yen",
            "cny cny rmb yuan",
            "chf chf",
            "¢ cents cent pence",
            "₹ ₹ inr rupees",
        )
    )
    for name in names
}
_UNIT = r"%|percentage\s+points?|basis\s+points?|bps|per\s?cent(?:age)?|u\.?s\.?\s+dollars?|" + "|".join(
    name for name in _CURRENCY if name.isalpha()
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
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")


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
        and _YEAR.fullmatch(digits)
        and not any(match[part] for part in ("currency", "scale", "unit", "short"))
    ):
        return Quantity(value=float(digits), unit="year")
    value = float(digits.replace(",", "")) if digits else _spelled(spelled)
    value *= (
        _SCALES[(match["scale"] or match["short"] or "").lower()] if match["scale"] or match["short"] else 1
    )
    negative = match["minus"] or match["minus2"] or (match["open"] and match["close"] and digits)
    return Quantity(value=-value if negative else value, unit=_unit(match["currency"], match["unit"]))


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
