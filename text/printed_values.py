"""How figures, years and dates are printed in the cells of tables."""

import re

from text.months import MONTH

SIGNS = r"[$€£¥]"
FIGURE = re.compile(
    rf"(?:{SIGNS}\s?)?[-+–—]?\(?[-+–—]?(?:{SIGNS}\s?)?(?:\d(?:[\d.,]*\d)?|\.\d+)(?:\s?[%x×])?(?:\s?\))?(?:\s?%)?"
    rf"(?:\s?(?:\(\w{{1,2}}\)|\*+))?|(?:{SIGNS}\s?)?\(?[-–—]+\)?\s?%?|N/?[AM]\b\.?|{SIGNS}"
)
YEAR = re.compile(r"(?:18|19|20|21)\d\d$")
DATE = re.compile(
    rf"(?:(?:{MONTH})\.?\s?(?:\d{{1,2}})?,?(?:\s(?:18|19|20)\d\d)?|\d{{1,2}}\s(?:{MONTH})\.?,?(?:\s(?:18|19|20)\d\d)?"
    r"|(?:18|19|20)\d\d|(?:FY|Q[1-4]|H[12])\s?'?\d{2,4})\*?"
)
