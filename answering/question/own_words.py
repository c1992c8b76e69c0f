"""What SVQ says by itself in place of an answer: it states nothing of the documents and needs no source."""

import re
import tomllib
from pathlib import Path

_SAID = tomllib.loads((Path(__file__).parent / "greetings.toml").read_text(encoding="utf-8"))
_ADDRESSED = r"(?:[\s,]+(?:there|all|everyone|svq|again|team))?"
_GREETINGS = tuple(
    (re.compile(rf"\W*(?:{sign['said']}){_ADDRESSED}\W*", re.IGNORECASE), str(sign["reply"]))
    for sign in _SAID["greeting"]
)
LONGEST = 200  # characters: the patterns take more than linear time
ASK_OTHERWISE = (
    "To see the closest passages here, ask about a topic, or name a document by words of its title."
)
OWN_WORDS = frozenset({ASK_OTHERWISE, *(reply for _, reply in _GREETINGS)})


def greeting_reply(question: str) -> str:
    """What to say to a question that is nothing but a greeting or thanks; empty for all others."""
    if len(question) > LONGEST:
        return ""
    return next((reply for said, reply in _GREETINGS if said.fullmatch(question)), "")
