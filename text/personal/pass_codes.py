"""Short codes that open something: PINs, one-time codes, codes of doors and cards. Pure.

They are nothing but a few figures, so they count only behind a word that says what they are.
"""

import re
from collections.abc import Iterator

Span = tuple[int, int]

_QUOTE = r"[\"'“”„`*]{0,3}"
_IS = r"(?:\s{0,3}(?::=|=>|[:=#])\s{0,3}|\s+(?:is|was|are|ist|lautet|est|es|of)\s*:?\s+)"
_FIGURES = r"(?P<code>\d(?:[ -]?\d){3,9})(?![\d/-]|[.,]\d|\s?[%€$£])"
_MIXED = r"(?P<mixed>(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){0,3})(?![\w-])"
_THREE = r"(?P<three>\d{3,4})(?![\d/-]|[.,]\d)"
_NUMBER = rf"(?:[ -]{{0,3}}(?:number|no\.?|nr\.?|code))?{_QUOTE}"

# "Tan" and "pin" are words too: without a sign behind them they count only in capitals.
_PIN = re.compile(
    rf"(?<![\w-])(?:(?-i:PINs?|m?TAN|PUK|T?OTP)\b{_NUMBER}(?:{_IS}|\s+)|(?:pins?|puk|otp)\b{_NUMBER}{_IS})"
    rf"{_QUOTE}{_FIGURES}",
    re.IGNORECASE,
)
_KINDS = (
    r"(?:verification|security|access|one[ -]?time|single[ -]?use|confirmation|authenti[cf]at\w+"
    r"|auth|log-?in|sign-?in|activation|unlock(?:ing)?|door|entry|gate|alarm|safe|vault|locker|backup"
    r"|recovery|pairing|2fa|mfa|two[ -]factor|sms|secret|reset|pin)"
)
_NAMED = re.compile(
    rf"(?<![\w-])(?:{_KINDS}[ -]codes?|one[ -]time pass(?:word|code)|geheimzahl"
    r"|einmal(?:code|kennwort|passwort)|(?:sicherheits|bestätigungs|zugangs|prüf|entsperr)code"
    r"|code (?:secret|pin|confidentiel|de (?:vérification|sécurité))"
    rf"|código (?:pin|de (?:verificación|seguridad|acceso)))\b{_QUOTE}(?:{_IS}|\s+){_QUOTE}"
    rf"(?:{_FIGURES}|{_MIXED})",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:验证码|驗證碼|动态码|密码|密碼|认证码|認証コード|確認コード|暗証番号|パスワード)"
    rf"\s?(?:[:：]|是|为|は)?\s?{_FIGURES}"
)
_OF_A_CARD = re.compile(
    rf"(?<!\w)(?:CV[VC]2?|CVN|CSC|card security code)\b{_NUMBER}(?:{_IS}|\s+){_THREE}", re.IGNORECASE
)
# "code" alone is also that of a place, an error, an article: it has to be somebody's, or something to type.
_BARE = re.compile(
    rf"(?:\b(?:your|my|our|his|her|their|use|enter|type(?: in)?|with) (?:the )?(?:\w+ )?code(?:{_IS}|\s+)"
    rf"|(?:^|(?<=[.!?:;,]\s)|(?<=\n))(?:the|this|der|ihr|dein) code{_IS}"
    rf"|(?P<plain>(?:^|(?<=[.!?;,(]\s)|(?<=\n)|(?<=the )|(?<=\())code{_IS})){_QUOTE}{_FIGURES}",
    re.IGNORECASE,
)
_OF_SOMETHING_ELSE = re.compile(
    r"(?:post(?:al|leit)?|zip|area|dial(?:ling|ing)?|country|error|status|exit|product|article|item|tax|sort"
    r"|bar|qr|promo|discount|voucher|colou?r|source|currency|cost|account|branch|swift|bank|customs|tariff|hs"
    r"|sic|nace|building|penal|civil|commercial|revenue|labou?r|criminal|project|department|reference|unicode"
    r"|key) code",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\b(?:sms|text message|log(?:ging)? ?in|sign(?:ing)? ?in|verif\w+|authenti\w+|one-time|expires?"
    r"|valid for|minutes|(?:do not|don't|never) share|doors?|alarm|safe|vault|unlock\w*|gate|keypad)\b",
    re.IGNORECASE,
)
AROUND = 80  # characters around a bare "code:" in which a word may say that it opens something
_YEAR = re.compile(r"(?:19|20)\d\d")


def pass_codes(text: str) -> Iterator[Span]:
    """Start and end of each; some may overlap."""
    for form in (_PIN, _NAMED, _CHINESE, _OF_A_CARD):
        yield from map(_span, form.finditer(text))
    for match in _BARE.finditer(text):
        if _OF_SOMETHING_ELSE.search(match[0]) or _YEAR.fullmatch(match["code"]):
            continue
        around = text[max(0, match.start() - AROUND) : match.end() + AROUND]
        if not match["plain"] or _OPENS.search(around):
            yield match.span("code")


def _span(match: re.Match[str]) -> Span:
    """Of the code itself."""
    return match.span(next(name for name, value in match.groupdict().items() if value is not None))
