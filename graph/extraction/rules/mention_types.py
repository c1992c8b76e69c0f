"""What kind of thing a name stands for, told by its words and by what stands around it."""

import re

from english import names
from graph.extraction.rules.mentions import Mention

_BORN = re.compile(r",?\s*\(?(?:born|was born|\(born|née)")
_IN_OFFICE = re.compile(
    rf"\s*[,(]\s*(?:(?:the|an?|our|its|their)\s+)?(?:[a-z-]+\s+){{0,3}}(?:{names.OFFICES})\b", re.I
)


def type_of(name: str, text: str, mention: Mention) -> str:
    """The type of what `text` names there; of a name alone, `text` is empty and the mention too."""
    if mention.type:
        return mention.type
    parts = [part.strip(".,()").lower() for part in name.split()]
    if names.EVENT & set(parts):
        return "EVENT"
    if len(parts) > 1 and names.ORGANIZATION & set(parts) and parts[-1] not in names.DEEDS:
        return "ORGANIZATION"
    if _is_person(name, text, mention):
        return "PERSON"
    if names.PLACE & set(parts) or " ".join(parts) in names.PLACES:
        return "LOCATION"
    if len(parts) == 1 and 2 <= len(name) <= 6 and name.isupper() and name.isalpha():
        return "ORGANIZATION"
    if mention.defines and name != name.title() and len(parts) > 1:
        return "TOPIC"
    return "NAME"


def _is_person(name: str, text: str, mention: Mention) -> bool:
    """A title before the name, a given name in it, or an office or a birth told of right after it."""
    parts = name.split()
    before = text[max(0, mention.start - 12) : mention.start].split()[-1:]
    if before and before[0].lower().rstrip(".") in names.PERSON_TITLES:
        return True
    if not 2 <= len(parts) <= 4 or any(not part[0].isalpha() or part.isupper() for part in parts[::3]):
        return False
    if parts[0].lower() in names.GIVEN_NAMES:
        return True
    after = text[mention.end : mention.end + 60]
    return bool(_BORN.match(after)) or (not mention.defines and bool(_IN_OFFICE.match(after)))
