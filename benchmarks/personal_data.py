"""Personal data in texts: how much of it is found, and how often something else is taken for it.

    python -m benchmarks personal_data

What is to be found is made: numbers with their right check digits, telephone numbers by the numbering plans
of 30 countries, in sentences as letters and contracts have them. What is not to be found is the text of the
sample documents, and numbers that look alike: invoices, orders, books, amounts, dates, wrong check digits.
"""

import string
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import phonenumbers
import pypdfium2
from stdnum import iban, luhn
from stdnum.iso7064 import mod_97_10

from text.personal.personal_data import Kind, find

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
EACH = 400
SEED = 11
REGIONS = (
    "AT AU BE BR CA CH CZ DE DK ES FI FR GB GR IE IN IT JP KR MX NL NO NZ PL PT RO SE TR US ZA".split()  # noqa: SIM905
)
SENTENCES = (
    "Please send it to {} by Friday.",
    "{}",
    "The record says {}, which was confirmed.",
    "({})",
    "Contact: {}; office hours apply.",
    "- {}\n- others",
    "Name: Jane Doe\n{}\nSaltmere",
)
IBANS = {
    "DE": "d18",
    "FR": "d10a11d2",
    "GB": "A4d14",
    "NL": "A4d10",
    "ES": "d20",
    "IT": "A1d10a12",
    "AT": "d16",
}


def run() -> dict[str, Any]:
    chance = Random(SEED)
    found = {name: _share(make, kind, chance) for name, (kind, make) in MADE.items()}
    alarms = {name: _alarms(make, chance) for name, make in ALIKE.items()}
    words = alarms_in_samples = 0
    for text in _samples():
        words += len(text.split())
        alarms_in_samples += sum(1 for each in find(text) if not _is_contact(text[each.start : each.end]))
    return {
        "found": found,
        "taken_for_personal_data": alarms,
        "sample_documents": {"words": words, "false_alarms": alarms_in_samples},
    }


def _share(make: Callable[[Random], str], kind: Kind, chance: Random) -> str:
    """How many of the made texts have exactly the one thing of this kind."""
    hits = 0
    for _ in range(EACH):
        text = chance.choice(SENTENCES).format(make(chance))
        hits += [each.kind for each in find(text)] == [kind]
    return f"{hits / EACH:.1%}"


def _alarms(make: Callable[[Random], str], chance: Random) -> str:
    texts = (chance.choice(SENTENCES).format(make(chance)) for _ in range(EACH))
    return f"{sum(bool(find(text)) for text in texts) / EACH:.1%}"


def _samples() -> Iterator[str]:
    for path in sorted(SAMPLES.glob("*.pdf")):
        document = pypdfium2.PdfDocument(path)
        for page in document:
            yield page.get_textpage().get_text_bounded()


def _is_contact(text: str) -> bool:
    """Whether it is an address: the sample documents have some, and they are no false alarms."""
    return "@" in text


# --- what is to be found -----------------------------------------------------------------------------------
def digits(chance: Random, count: int) -> str:
    return "".join(chance.choice(string.digits) for _ in range(count))


def email(chance: Random) -> str:
    name = chance.choice(["jane.doe", "j_doe", "j.doe+x", "jd1980", "o'neill", "info", "anna-maria.müller"])
    host = chance.choice(["example.com", "mail.arden.co.uk", "firma-gmbh.de", "uni.example", "a.museum"])
    return f"{name}@{host}"


def phone(chance: Random) -> str:
    number = phonenumbers.example_number_for_type(
        chance.choice(REGIONS),
        chance.choice([phonenumbers.PhoneNumberType.FIXED_LINE, phonenumbers.PhoneNumberType.MOBILE]),
    )
    assert number is not None
    if chance.random() < 0.5:
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    told = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
    return f"{chance.choice(['Tel. ', 'Phone: ', 'Mobile ', 'Fax: ', 'call '])}{told}"


def account(chance: Random) -> str:
    country = chance.choice(list(IBANS))
    body = ""
    for letter, length in _parts(IBANS[country]):
        alphabet = string.digits if letter == "d" else string.ascii_uppercase
        body += "".join(chance.choice(alphabet) for _ in range(length))
    number = f"{country}{mod_97_10.calc_check_digits(f'{body}{country}')}{body}"
    return number if chance.random() < 0.4 else iban.format(number)


def _parts(form: str) -> Iterator[tuple[str, int]]:
    position = 0
    while position < len(form):
        end = position + 1
        while end < len(form) and form[end].isdigit():
            end += 1
        yield form[position], int(form[position + 1 : end])
        position = end


def card(chance: Random) -> str:
    begin, length = chance.choice([("4", 16), ("51", 16), ("37", 15), ("6011", 16), ("2221", 16)])
    body = begin + digits(chance, length - len(begin) - 1)
    number = body + luhn.calc_check_digit(body)
    groups = (4, 6, 5) if length == 15 else (4, 4, 4, 4)
    sign = chance.choice(["", " ", "-"])
    pieces, start = [], 0
    for size in groups:
        pieces.append(number[start : start + size])
        start += size
    return sign.join(pieces)


def identity(chance: Random) -> str:
    match chance.choice(["us", "gb", "es", "ch", "fr", "br"]):
        case "us":
            return f"{chance.randint(1, 665):03}-{chance.randint(1, 99):02}-{chance.randint(1, 9999):04}"
        case "gb":
            return f"AB {digits(chance, 2)} {digits(chance, 2)} {digits(chance, 2)} C"
        case "es":
            number = digits(chance, 8)
            return number + "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23]
        case "ch":
            body = f"756{digits(chance, 9)}"
            check = -sum(int(d) * (3 if at % 2 else 1) for at, d in enumerate(body)) % 10
            number = f"{body}{check}"
            return f"{number[:3]}.{number[3:7]}.{number[7:11]}.{number[11:]}"
        case "fr":
            month, department = chance.randint(1, 12), chance.randint(21, 95)
            body = f"{chance.choice('12')}{digits(chance, 2)}{month:02}{department}{digits(chance, 6)}"
            return f"{body}{97 - int(body) % 97:02}"
        case _:
            numbers = [int(d) for d in digits(chance, 9)]
            for length in (10, 11):
                rest = sum(d * (length - at) for at, d in enumerate(numbers)) * 10 % 11
                numbers.append(0 if rest == 10 else rest)
            told = "".join(map(str, numbers))
            return f"{told[:3]}.{told[3:6]}.{told[6:9]}-{told[9:]}"


def secret(chance: Random) -> str:
    letters = string.ascii_letters + string.digits
    token = "".join(chance.choice(letters) for _ in range(40))
    return chance.choice(
        [
            f"sk-{token}",
            f"ghp_{token[:36]}",
            f"AKIA{token[:16].upper()}",
            f"password: {token[:8]}7!",
            f"api_key={token}",
        ]
    )


def spelt_out(chance: Random) -> str:
    """An address as people write it so that programs do not find it."""
    name = chance.choice(["jane", "j.doe", "info", "bob99", "anna-maria"])
    host, ending = (
        chance.choice(["example", "arden", "firma-gmbh"]),
        chance.choice(["com", "org", "de", "eu"]),
    )
    at, dot = chance.choice(
        [(" at ", " dot "), (" @ ", "."), ("@ ", "."), (" [at] ", " [dot] "), ("(at)", "."), ("@", "[.]")]
    )
    return f"{name}{at}{host}{dot}{ending}"


def code(chance: Random) -> str:
    four, six = digits(chance, 4), digits(chance, 6)
    said = (
        f"PIN {four}",
        f"PIN: {six}",
        f"the PIN is {four}",
        f"OTP {six}",
        f"your code is {six}",
        f"one-time code: {six[:3]} {six[3:]}",
        f"verification code {six}",
        f"use code {six[:3]}-{six[3:]}",
        f"CVC {four[:3]}",
        f"door code: {four}",
        f"Geheimzahl: {four}",
        f"security code is {six}",
    )
    return chance.choice(said)


MADE: Mapping[str, tuple[Kind, Callable[[Random], str]]] = {
    Kind.EMAIL.value: (Kind.EMAIL, email),
    "e-mail address, spelt out": (Kind.EMAIL, spelt_out),
    Kind.PHONE.value: (Kind.PHONE, phone),
    Kind.IBAN.value: (Kind.IBAN, account),
    Kind.CARD.value: (Kind.CARD, card),
    Kind.IDENTITY.value: (Kind.IDENTITY, identity),
    Kind.SECRET.value: (Kind.SECRET, secret),
    "PIN or one-time code": (Kind.SECRET, code),
}


# --- what only looks alike ---------------------------------------------------------------------------------
def wrong_card(chance: Random) -> str:
    right = card(chance)
    return right[:-1] + str((int(right[-1]) + chance.randint(1, 9)) % 10)


def wrong_account(chance: Random) -> str:
    right = account(chance).replace(" ", "")
    return f"{right[:2]}{(int(right[2:4]) + chance.randint(1, 90)) % 97:02}{right[4:]}"


def book(chance: Random) -> str:
    return f"ISBN 978-{digits(chance, 1)}-{digits(chance, 4)}-{digits(chance, 4)}-{digits(chance, 1)}"


def amount(chance: Random) -> str:
    return f"EUR {chance.randint(1, 999)},{digits(chance, 3)},{digits(chance, 3)}.{digits(chance, 2)}"


def shares(chance: Random) -> str:
    return f"call options of {chance.randint(1, 999)} {digits(chance, 3)} {digits(chance, 3)} shares"


def dates(chance: Random) -> str:
    return f"{chance.randint(1, 28)}.{chance.randint(1, 12)}.{chance.randint(1990, 2030)} to 2021-2022"


def clause(chance: Random) -> str:
    return ".".join(digits(chance, chance.randint(1, 2)) for _ in range(5))


def about_secrets(chance: Random) -> str:
    said = [
        "The password: required for all.",
        "An API key is given to each.",
        "Secret: yes",
        "the token expires",
    ]
    return chance.choice(said)


def other_code(chance: Random) -> str:
    kind = chance.choice(["postal", "error", "area", "country", "product", "tax", "exit", "article", "SIC"])
    before, sign = chance.choice(["", "the ", "Enter the "]), chance.choice([" ", ": ", " is "])
    return f"{before}{kind} code{sign}{digits(chance, 5)}"


def about_addresses(chance: Random) -> str:
    said = (
        "available at example.org",
        "5 @ 3.50 each",
        "look at the dot in the middle",
        "a PIN of 4 digits",
        "see us at example.com",
        "held at noon on the dot",
        "shares @ EUR 4.10",
        "the code of 2010",
    )
    return chance.choice(said)


ALIKE: Mapping[str, Callable[[Random], str]] = {
    "cards with a wrong check digit": wrong_card,
    "accounts with wrong check digits": wrong_account,
    "invoice numbers": lambda chance: f"Invoice {chance.randint(2015, 2026)}-{digits(chance, 6)}",
    "order numbers of 8 to 16 digits": lambda chance: f"Order no. {digits(chance, chance.randint(8, 16))}",
    "books (ISBN)": book,
    "amounts": amount,
    "amounts with spaces": shares,
    "dates and spans": dates,
    "clauses and versions": clause,
    "commit hashes": lambda chance: f"{chance.getrandbits(160):040x}",
    "words about secrets": about_secrets,
    "codes of places, errors and articles": other_code,
    "words about addresses and codes": about_addresses,
}
