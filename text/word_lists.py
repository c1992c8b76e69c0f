"""How word lists are written down, and the English words that carry grammar instead of meaning."""


def words(text: str) -> frozenset[str]:
    """The words of a list that is easier to read as a text."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """The same for phrases, with commas between them."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


def pairs(text: str) -> dict[str, str]:
    """Words that each stand for what follows: "hr hour, mgmt management"."""
    both = (each.split() for each in text.split(","))
    return {first: " ".join(rest) for first, *rest in both}


# Also the words with which people ask ("please tell me how many"): in a question they say nothing about its
# subject. Why this list and not a larger one: docs/decisions/0011-language.md.
FUNCTION_WORDS = words(
    """a about after all also am an and any are as at be been before being between both but by can could did
do does during each for from get gets give given had has have he her him his how i if in into is it its last
many may me might more most much must my no nor not of on once one or other our out over own per please same
say says shall she should so some such tell than that the their them then there these they this those to
under until up upon us very was we were what when where whether which while who whom whose why will with
would you your"""
)
