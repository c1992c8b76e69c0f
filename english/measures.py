"""Units of measure, and what one of them is without its prefix: a kilogram is 1,000 g."""

import re

MEASURED = re.compile(
    r"\s?(?P<unit>°\s?[CF]\b|[a-zµ]{1,3}/[a-z]{1,3}\b|(?:[kMGTmµ]|d|c)?(?:Wh|W|Hz|B|bit|g|m|l|V|A|Pa|J|bar)[²³23]?(?!\w)"
    r"|kilowatt[ -]hours?\b"
    r"|(?:(?:square|cubic)\s)?(?:(?:kilo|milli|centi|mega|giga)?(?:gram|met(?:re|er)|lit(?:re|er)|byte|watt)"
    r"|degree)s?\b)"
)
_PREFIXES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "c": 1e-2, "d": 1e-1, "m": 1e-3, "µ": 1e-6}
_LONG_PREFIXES = {"kilo": "k", "mega": "M", "giga": "G", "centi": "c", "milli": "m"}
_LONG_UNITS = {"gram": "g", "metre": "m", "meter": "m", "litre": "l", "liter": "l", "byte": "B", "watt": "W"}
_WRITTEN_OUT = re.compile(
    r"(?P<power>square|cubic)?\s?(?P<prefix>kilo|mega|giga|centi|milli)?"
    rf"(?P<unit>{'|'.join(_LONG_UNITS)})(?P<hour>[ -]hour)?s?"
)
_PREFIXED = re.compile(r"(?P<prefix>[kMGTcdmµ])(?P<unit>Wh|W|Hz|B|bit|g|m|l|V|A|Pa|J|bar)")


def base_of_unit(unit: str) -> tuple[float, str]:
    """How many of the unit without a prefix one is, and that unit: 1000 and "g" for "kg" and "kilograms"."""
    if found := _WRITTEN_OUT.fullmatch(unit):
        unit = _LONG_PREFIXES.get(found["prefix"] or "", "") + _LONG_UNITS[found["unit"]]
        unit += {"square": "²", "cubic": "³"}.get(found["power"] or "", "") + ("h" if found["hour"] else "")
    if found := _PREFIXED.fullmatch(unit):
        return _PREFIXES[found["prefix"]], found["unit"]
    unit = "°C" if unit.startswith("degree") else unit.replace(" ", "")
    return 1.0, unit.translate({ord("2"): "²", ord("3"): "³"})
