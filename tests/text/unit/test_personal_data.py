"""Personal data is found in the forms in which people write it, and numbers that are none are left alone."""

import pytest

from text.personal.personal_data import Kind, find, mask

FOUND = {
    Kind.EMAIL: [
        "jane.doe+x@mail.example.co.uk",
        "john (at) beacon.de",
        "bob at example dot org",
        "bob @ example.org",
        "bob@ example.org",
        "bob [at] example [dot] org",
        "bob(at)example(dot)org",
        "jane dot doe at mail dot example dot com",
        "jane.doe at example.org",
        "e-mail bob at example.org",
        "hans ät firma punkt de",
        "bob@example[.]org",
    ],
    Kind.PHONE: [
        "+44 20 7946 0958",
        "(212) 555-0199",
        "Tel. 030 901820",
        "Mobile: 07700 900123",
        "Fax +49 (0)30 / 12 34 56-0",
    ],
    Kind.IBAN: ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "FR14 2004 1010 0505 0001 3M02 606"],
    Kind.CARD: ["4111 1111 1111 1111", "5500-0055-5555-5559", "3782 822463 10005", "6011111111111117"],
    Kind.IDENTITY: [
        "536-90-4399",
        "AB 12 34 56 C",
        "Steuer-ID 36 574 261 809",
        "2 95 10 99 126 111 93",
        "54362315K",
        "RCCMNL83S18D969H",
        "756.9217.0769.85",
        "390.533.447-05",
        "BSN 111222333",
        "PESEL 44051401359",
    ],
    Kind.SECRET: [
        "sk-abcdefghijklmnopqrstuvwxyz123456",
        "AKIAIOSFODNN7EXAMPLE",
        "password: hunter2!",
        'api_key = "AbCdEf123456"',
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "postgres://svq:s3cr3t@db/svq",
        "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
        "PIN 4711",
        "the PIN is 1984",
        "PIN code: 99 21 04",
        "**PIN**: 4711",
        "your one-time code is 493 021",
        "verification code 839201",
        "Your code is 482913",
        "use code 482-913 to sign in",
        "OTP: 839201",
        "CVV 123",
        "door code: 55-90-12",
        "recovery code A7K2-99QX",
        "Geheimzahl lautet 4711",
        "验证码:839201",
    ],
}
NONE = [
    "Revenue was 4,111,111,111 in 2021-2022.",
    "The call option covers 1 250 000 shares.",
    "Clause 12.3.4 applies.",
    "ISBN 978-3-16-148410-0",
    "Invoice 2023-0012345 of 10.12.2021",
    "Order 1234567890123 was shipped.",
    "The password: required for all users.",
    "A token is a part of a word.",
    "Meet @ noon, 5 @ 3 each.",
    "Item 12345678 of 2024-05-06",
    "1 200 300 400 units were called off on 12.05.2020",
    "GB is a country; DE12 is a road.",
    "4111 1111 1111 1112",
    "Version 10.0.19045.3693",
    "Table 4: 12 34 56 78 90",
    "US20130123456A1 is a patent.",
    "The report is available at example.org.",
    "See us at example dot com.",
    "Look at the dot in the middle, at noon dot.",
    "Postal code 90210, zip code: 10115, area code 03091.",
    "The error code is 40412; exit code 1337.",
    "The Internal Revenue Code: 1986, SIC code 7372.",
    "Enter the product code 482913 in the form.",
    "The Code of 2010 and the code: 2021",
    "A PIN of 4 to 8 digits is required.",
    "Dial code 0049 is not needed; sort code: 12-34-56",
    "Code: 482913 Widget, blue, 12 pieces",
    "at 5 @ 3.50 each",
]


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in FOUND.items() for text in texts])
def test_it_is_found(kind: Kind, text: str) -> None:
    assert [found.kind for found in find(f"Here it is: {text}, as agreed.")] == [kind]


@pytest.mark.parametrize("text", NONE)
def test_other_numbers_are_left_alone(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("BSN of the person who has signed this: 111222333", [Kind.IDENTITY]),
        ("BSN of the person who has signed this one agreement here: 111222333", []),
        ("Telephone of the front desk: 030 901820", [Kind.PHONE]),
        ("Telephone of the front desk, where nobody sits: 030 901820", []),
    ],
)
def test_a_word_that_announces_a_number_stands_near_it(words: str, kinds: list[Kind]) -> None:
    assert [found.kind for found in find(words)] == kinds


def test_what_stands_around_it_stays() -> None:
    assert mask("Write to a@b.example or call.") == "Write to ‹e-mail address masked› or call."
