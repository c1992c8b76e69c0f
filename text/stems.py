"""Words without their endings, so that "retained" meets "retention period" half-way: Snowball's stemmers."""

from functools import cache, lru_cache

import Stemmer

from text.normal_forms.clean_form import clean_form

KEPT = 65536  # words whose stems stay in memory


@lru_cache(maxsize=KEPT)
def stem(word: str, language: str = "english") -> str:
    """The stem of one word, in small letters; `language` is a name that Snowball knows."""
    return _stemmer(language).stemWord(clean_form(word).lower().removesuffix("'s").removesuffix("’s"))


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 0)  # stems are kept above
