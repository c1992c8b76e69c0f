"""Which language a text is in: told by its script, then by the small words that no text can do without."""

import re
from collections import Counter

from text.word_lists import FUNCTION_WORDS, words

READ = 20_000  # characters of a text that are looked at
LEAST = 3  # small words before a guess is made
ASKS = 2  # what a word counts with which questions of a language begin
SHARE = 0.04  # of all words that must be small words of the language

# ISO 639-1 code to Snowball's name of the language, and its small words.
_LANGUAGES = {
    "en": ("english", "the of and to in is that for it with as was on are by this be from which or have not"),
    "de": ("german", "der die das und ist nicht mit den von zu für auf im ein eine dem sich auch wird es"),
    "fr": ("french", "le la les des et est une dans que pour qui sur pas au par du avec plus sont ce il"),
    "es": ("spanish", "el la los las de y en que es por con una para del se no su al lo como más"),
    "it": ("italian", "il di che la è per una in del non con sono della gli le dei si da alla nel anche"),
    "pt": ("portuguese", "o os as de e que do da em um uma para não com por é dos das na no ao mais"),
    "nl": ("dutch", "de het een van en in is dat op te zijn met voor niet aan er om ook als bij door"),
    "sv": ("swedish", "och att det som en på är av för med den till inte har ett om de var kan"),
    "da": ("danish", "og at det som en på er af for med den til ikke har et om de var kan der blev"),
    "no": ("norwegian", "og at det som en på er av for med den til ikke har et om de var kan ble etter"),
    "fi": ("finnish", "ja on ei se että hän oli joka mutta kun myös ovat sen tai jos mukaan niin"),
    "hu": ("hungarian", "a az és hogy nem is egy van meg ez volt csak már de mint vagy ha még"),
    "ro": ("romanian", "și de la în a cu pe care nu este un o din pentru sunt mai ce se au prin"),
    "tr": ("turkish", "ve bir bu da de için ile olarak daha çok olan gibi kadar sonra ne ama en"),
    "ru": ("russian", "и в не на что с по как это к из от для его но а у за же был"),
    "ca": ("catalan", "el la els les de i en que és per amb una del no als pel més són aquest dels"),
}
_SMALL_WORDS = {code: words(small) for code, (_, small) in _LANGUAGES.items()}
_LANGUAGES_WITH = {
    word: [code for code, small in _SMALL_WORDS.items() if word in small]
    for word in frozenset[str]().union(*_SMALL_WORDS.values())
}
_ASKING = {
    code: words(asking)
    for code, asking in {
        "en": "what which who whom whose when where why how",
        "de": "was wer wem wen wie wo wann warum wieso weshalb welche welcher welches welchen wieviel",
        "fr": "quel quelle quels quelles quand comment pourquoi où combien qui",
        "es": "qué quién quiénes cuál cuáles cuándo cómo dónde cuánto cuánta cuántos cuántas",
        "it": "chi quale quali quando come dove perché quanto quanta quanti quante cosa",
        "pt": "qual quais quem quando como onde quanto quanta quantos quantas porque",
        "nl": "wat wie welke welk wanneer waar waarom hoe hoeveel",
        "sv": "vad vem vilka vilken vilket när var varför hur",
        "da": "hvad hvem hvilke hvilken hvilket hvornår hvor hvorfor hvordan",
        "no": "hva hvem hvilke hvilken hvilket når hvor hvorfor hvordan",
        "fi": "mikä mitä mitkä kuka milloin missä miksi miten kuinka",
        "hu": "mi mit ki kit melyik mikor hol miért hogyan mennyi hány",
        "ro": "ce care cine când unde cum cât câte câți",
        "tr": "ne kim hangi nerede niçin neden nasıl kaç",
        "ru": "что кто какой какая какие когда где почему как сколько",
        "ca": "què qui quin quina quins quines quan com on quant quants",
    }.items()
}
_SCRIPTS = {
    "ja": "\u3040-\u30ff",
    "ko": "\uac00-\ud7af",
    "zh": "\u4e00-\u9fff",
    "th": "\u0e00-\u0e7f",
    "el": "\u0370-\u03ff",
    "he": "\u0590-\u05ff",
    "ar": "\u0600-\u06ff",
    "hi": "\u0900-\u097f",
}
_STEMMERS = {code: name for code, (name, _) in _LANGUAGES.items()} | {
    "el": "greek",
    "ar": "arabic",
    "hi": "hindi",
}
_NAMES = {
    "ja": "japanese",
    "ko": "korean",
    "zh": "chinese",
    "th": "thai",
    "el": "greek",
    "he": "hebrew",
    "ar": "arabic",
    "hi": "hindi",
}
_SCRIPT = {code: re.compile(f"[{letters}]") for code, letters in _SCRIPTS.items()}
_WORD = re.compile(r"[^\W\d_]+")
# Japanese has Chinese letters too, so a few of its own tell it.
_LEAST_OF_SCRIPT = {"ja": 0.05, "ko": 0.2, "zh": 0.3}

KNOWN = tuple(sorted({*_LANGUAGES, *_SCRIPTS}))


def language_of(text: str) -> str:
    """Its ISO 639-1 code; empty where nothing tells."""
    return _language_of(text, is_question=False)


def language_of_question(text: str) -> str:
    """The same of a few words, of which those tell most that only a question begins with. Empty too where
    two languages could be meant.
    """
    return _language_of(text, is_question=True)


def _language_of(text: str, *, is_question: bool) -> str:
    text = text[:READ].lower()
    if code := _told_by_script(text):
        return code
    counts = Counter(_WORD.findall(text))
    told = _small_words_told(counts)
    for code, asking in _ASKING.items():
        told[code] += ASKS if is_question and asking & counts.keys() else 0
    best, second = sorted(told, key=lambda code: told[code], reverse=True)[:2]
    if told[best] < max(LEAST, SHARE * counts.total()):
        return ""
    return "" if is_question and told[best] == told[second] else best


def _told_by_script(text: str) -> str:
    letters = sum(map(len, _WORD.findall(text)))
    for code, script in _SCRIPT.items():
        if letters and len(script.findall(text)) / letters >= _LEAST_OF_SCRIPT.get(code, 0.3):
            return code
    return ""


def _small_words_told(counts: Counter[str]) -> dict[str, int]:
    """How many of the words are small words of each language."""
    told = dict.fromkeys(_SMALL_WORDS, 0)
    for word in counts.keys() & _LANGUAGES_WITH.keys():
        for code in _LANGUAGES_WITH[word]:
            told[code] += counts[word]
    return told


def small_words(code: str) -> frozenset[str]:
    """The words of a language that carry grammar instead of meaning, as far as they are listed."""
    return FUNCTION_WORDS if code == "en" else _SMALL_WORDS.get(code, frozenset())


def asking_words(code: str) -> frozenset[str]:
    """The words with which questions of a language begin, as far as they are listed."""
    return _ASKING.get(code, frozenset())


def stemmer_of(code: str) -> str:
    """Snowball's name of a language; English for one that it does not know, as figures and names stay."""
    return _STEMMERS.get(code, "english")


def name_of_language(code: str) -> str:
    """Its English name, "German"; empty for one that is not known."""
    return (_LANGUAGES[code][0] if code in _LANGUAGES else _NAMES.get(code, "")).capitalize()
