"""How figures, years and dates are printed in the cells of tables."""

import re

from text.months import MONTH

SIGNS = r"[$€£¥]"
FIGURE = re.compile(
    rf"(?:{SIGNS}\s?)?[-+–—]?\(?[-+–—]?(?:{SIGNS}\s?)?(?:\d(?:[\d.,]*\d)?|\.\d+)(?:\s?[%x×])?(?:\s?\))?(?:\s?%)?"
    rf"(?:\s?(?:\(\w{{1,2}}\)|\*+))?|(?:{SIGNS}\s?)?\(?[-–—]+\)?\s?%?|N/?[AM]\b\.?|{SIGNS}"
)
# Of a table that was typed: “max 0.025”, “0.39 - 0.46”, “≤ 12 mm”.
MEASURE = re.compile(
    r"(?:(?:[<>≤≥~±]|(?:max|min|approx|ca|about|up to|over|under|from)\b\.?)\s*)?"
    rf"(?:{FIGURE.pattern})(?:\s?(?:[-–/x×]|to)\s?(?:{FIGURE.pattern}))?(?:\s[^\W\d_]{{1,3}}[²³]?)?",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:18|19|20|21)\d\d$")
DATE = re.compile(
    rf"(?:(?:{MONTH})\.?\s?(?:\d{{1,2}})?,?(?:\s(?:18|19|20)\d\d)?|\d{{1,2}}\s(?:{MONTH})\.?,?(?:\s(?:18|19|20)\d\d)?"
    r"|(?:18|19|20)\d\d|(?:FY|Q[1-4]|H[12])\s?'?\d{2,4})\*?"
)
