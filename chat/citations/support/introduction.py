"""What a claim says of its source before or behind what it says: "According to the report, ..."."""

import re

from text.spelling import EMPHASIS

_SOURCES = (
    r"(?:document|file|filing|report|agreement|contract|policy|text|passage|quote|source|page|article|paper|notes?|section"
    r"|clause|statement|record|questionnaire|memo|letter|sentence|excerpt|manual|lease|form|book|study|10-[qk])s?"
)
_SAYS = (
    r"(?:states?|says?|notes?|reports?|mentions?|specif(?:y|ies)|explains?|indicates?|confirms?|shows?|provides?"
    r"|tells? us|reads?)"
)
_SOURCE = re.compile(
    rf"^(?:(?:according to|as (?:stated|noted|reported|described|set out|mentioned) in|per|in|as "
    rf"per|based on) (?:the|this|that|its|their) "
    rf"(?:[\w-]+ ){{0,3}}{_SOURCES}(?: itself)?,\s*|(?:the|this) (?:[\w-]+ ){{0,2}}{_SOURCES} "
    rf"(?:also |further )?{_SAYS}(?: that|:)\s*"
    rf"|as (?:the|this) (?:[\w-]+ ){{0,2}}{_SOURCES} (?:puts it|{_SAYS}),\s*"
    rf"|it is (?:true|stated|noted|reported|said|a fact|the case|also true|clear|documented|known) "
    rf"that\s+|the fact is that\s+"
    rf"|(?:yes|in short|in summary|specifically|in fact|notably|indeed|in other words|to be "
    rf"precise|more precisely),\s*)",
    re.IGNORECASE,
)
_SOURCE_BEHIND = re.compile(
    rf",\s*(?:according to|as (?:stated|noted|reported|described|set out) in|per) (?:the|this) "
    rf"(?:[\w-]+ ){{0,3}}"
    rf"{_SOURCES}\s*[.]?$|,\s*(?:as )?(?:the|this) {_SOURCES} (?:puts it|{_SAYS})\s*[.]?$",
    re.IGNORECASE,
)


def without_introduction(text: str) -> str:
    """A claim without what only says where it is from: "According to the report, ..."."""
    return _SOURCE_BEHIND.sub("", _SOURCE.sub("", EMPHASIS.sub(" ", text).strip()))
