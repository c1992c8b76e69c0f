"""The rest of the sentence that a quote was cut out of."""

from text.sentences import sentences


def rest_of_sentence(quote: str, context: str) -> tuple[str, str]:
    """What stands before and after the quote in its sentence; empty where the quote is not in the context, or
    is whole. A quote of several sentences has the beginning of its first and the end of its last.
    """
    quote = quote.strip()
    start = context.find(quote) if quote else -1
    if start < 0:
        return "", ""
    end = start + len(quote)
    spans = [(first, last) for first, last in sentences(context) if first < end and last > start]
    if not spans:
        return "", ""
    return context[spans[0][0] : start].strip(), context[end : max(end, spans[-1][1])].strip(" \t\n.!?")
