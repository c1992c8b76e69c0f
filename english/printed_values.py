"""How figures, years and dates are printed in the cells of tables."""

import re

from english import dates

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
    rf"(?:{dates.MONTH}\.?\s?(?:\d{{1,2}})?,?(?:\s{dates.YEAR})?|\d{{1,2}}\s{dates.MONTH}\.?,?(?:\s{dates.YEAR})?"
    rf"|{dates.YEAR}|(?:FY|Q[1-4]|H[12])\s?'?\d{{2,4}})\*?"
)
