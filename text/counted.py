"""Numbers with their nouns: “1 file”, “1,284 files”, “2 entities”."""

_VOWELS = "aeiou"


def counted(number: int, noun: str) -> str:
    """The number with the noun in its singular or plural. noun: in the singular, with a regular plural."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """“files”, “entities”: regular plurals only."""
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}s"
