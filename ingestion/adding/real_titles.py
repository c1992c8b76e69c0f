"""Whether what a file calls itself is a name that people would give it; in doubt it is none."""

import re

from english.dates import RECENT_YEAR
from english.lexicon import is_common
from english.periods import period_terms

LONGEST = 200  # characters
FEWEST_WORDS = 2  # one word says less than most names of files, unless it is somebody's name
FEWEST_LETTERS = 5
MOST_DIGITS = 0.5  # of letters and digits

# What programs put where nobody has said anything, whole or with a number.
_PLACEHOLDER = re.compile(
    r"""\W*(?: unknown | none | null | n/a | test | anonymous
        | (?:the\ |my\ |your\ |document\ )*(?:title|titel)
        | titre | t[ií]tulo | titolo | (?:title|titel)\ (?:here|hier) | no\ title | about:blank | layout
        | (?:new\ |neues?\ |my\ |blank\ |empty\ |leeres\ )?
          (?:microsoft\ |ms\ )?(?:word|excel|power\ ?point|office)?[\ -]?
          (?:document|dokument|doc|book|workbook|mappe|presentation|präsentation|présentation|presentación
          |slide|folie|page|seite|sheet|tabelle|scan|scanned\ (?:document|image)|image|bild|print|fax|file
          |datei|form|formular|report|bericht|email|message|template|vorlage)
        )\W*\d*\W*""",
    re.IGNORECASE | re.VERBOSE,
)
# How titles begin that are made by programs and templates.
_BY_PROGRAM = re.compile(
    r"""\W*(?: untitled | unbenannt | unnamed | ohne\ titel | sans\ titre | sin\ t[ií]tulo | senza\ titolo
        | microsoft\ (?:office\ )?(?:word|powerpoint|excel|outlook|visio|publisher)\b\ *-
        | power\ ?point[\ -]?(?:presentation|präsentation) | présentation\ powerpoint
        | (?:screenshot|screen\ shot|bildschirmfoto|scan|scanned|scanned\ by|img)\b
        | (?:merged|created|converted|generated|produced|powered)\ (?:with|by|from)\b
        | (?:click|tap)\ to\ | insert\ title | titel\ (?:hinzufügen|eingeben) | print\ preview | print\ job
        | template\b | vorlage\b | (?:document|word|letter|report)\ template\b | (?:full|half)\ page\ photo
        )""",
    re.IGNORECASE | re.VERBOSE,
)
_NAME_OF_FILE = re.compile(
    r"""\.(?: pdf|docx?|docm|dot[xm]?|xls[xmb]?|ppt[xm]?|pps[xm]?|potx?|od[tsp]|rtf|txt|html?|xml|md|csv|tex
        |dvi|e?ps|indd|qx[dp]|pub|pmd|fm|ai|psd|cdr|vsdx?|dwg|jpe?g|png|gif|tiff?|bmp|webp|eml|msg|epub|zip|tmp
        |wp[ds]
        )(?![\w.])""",
    re.IGNORECASE | re.VERBOSE,
)
_PATH = re.compile(r"(?:[a-z]:[\\/]|[\\/~]|file:|https?:|www\.)|.*\\|\S*\w/\w+/\w", re.IGNORECASE)
# Text of one encoding that was read as another, such as “Ã¼” or “â€™”; what stands for lost letters; markup.
_GARBLED = re.compile(
    r"[ÃÂ][\x80-\xbf]|â€|þÿ|ÿþ|[\ufffd\ue000-\uf8ff]|\?{3,}|([^\W\d])\1{4,}|&#?\w{1,8};|[<>{}]|%[0-9a-f]{2}",
    re.I,
)
_UNSPACED = re.compile(r"[\u2e80-\u9fff\u3040-\u30ff\uac00-\ud7af\u0e00-\u0e7f]")  # scripts without spaces
_ANSWERED = {"re", "aw", "fw", "fwd", "wg", "sv", "tr", "rv"}
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(rf"(?<!\d){RECENT_YEAR}(?!\d)")


def is_real_title(title: str, filename: str) -> bool:
    """filename: what the file is called; a title that says nothing more than that is of no use."""
    if len(title) > LONGEST or _GARBLED.search(title) or _NAME_OF_FILE.search(title) or _PATH.match(title):
        return False
    if _PLACEHOLDER.fullmatch(title) or _BY_PROGRAM.match(title):
        return False
    return _is_in_words(title) and not _says_no_more(title, filename)


def is_real_title_of_site(title: str) -> bool:
    """Of the first page of a web site, which has no name of a file: one word may do, such as “Help”."""
    is_made = _PLACEHOLDER.fullmatch(title) or _BY_PROGRAM.match(title)
    return not is_made and is_real_subject(title)


def is_real_subject(subject: str) -> bool:
    """Of a mail: a person has written it, so it may be short."""
    said = [word for word in _words(subject) if word not in _ANSWERED]
    letters = sum(letter.isalpha() for word in said for letter in word)
    return letters >= 2 and len(subject) <= LONGEST and not _GARBLED.search(subject)


def _is_in_words(title: str) -> bool:
    letters = sum(letter.isalpha() for letter in title)
    digits = sum(letter.isdigit() for letter in title)
    if letters < FEWEST_LETTERS or digits > MOST_DIGITS * (letters + digits):
        return False
    if len(_UNSPACED.findall(title)) >= FEWEST_LETTERS:
        return True
    return _is_a_name(title) or sum(any(map(str.isalpha, word)) for word in title.split()) >= FEWEST_WORDS


def _is_a_name(title: str) -> bool:
    """Whether it is one word that names somebody or something: “Larkfield”, as a firm's site is called."""
    return title.isalpha() and title.istitle() and not is_common(title)


def _says_no_more(title: str, filename: str) -> bool:
    """Whether the file's name has all words of the title, or a year or quarter that the title lacks. Where it
    has just these, without spaces, the title is the better spelling of it.
    """
    stem = filename.rpartition(".")[0] or filename
    told, known = _words(title), _words(stem)
    if told == known and " " not in stem and not title.islower():
        return False
    is_within = set(told) <= set(known) or "".join(told) in "".join(known)
    return is_within or not _periods(stem) <= _periods(title)


def _periods(text: str) -> set[str]:
    return {*_YEAR.findall(text), *period_terms(text.replace("_", " "))}


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
