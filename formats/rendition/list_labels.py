"""What is printed before the items of lists: bullets, and numbers as figures, letters or in Roman. Pure."""

BULLETS = ("•", "◦", "▪")  # by level


def counted(number: int, kind: str) -> str:
    """A number as a list prints it. kind: "1", "a", "A", "i" or "I"."""
    if kind in ("a", "A") and number > 0:
        letters = ""
        while number > 0:
            number, rest = divmod(number - 1, 26)
            letters = chr(ord(kind) + rest) + letters
        return letters
    if kind in ("i", "I") and 0 < number < 4000:
        return roman(number) if kind == "I" else roman(number).lower()
    return str(number)


def roman(number: int) -> str:
    written = ""
    for value, letters in (
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ):
        count, number = divmod(number, value)
        written += letters * count
    return written
