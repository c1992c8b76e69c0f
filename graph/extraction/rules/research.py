"""What papers name: methods, algorithms, datasets, metrics and concepts, told by the words around a name.

The types of graph.values.ontology.Ontology.RESEARCH. What no words tell apart keeps the type that it has.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from graph.extraction.rules.mentions import Mention, apart
from graph.extraction.rules.research_relations import of_research
from graph.values.extraction import VALUES, ExtractedEntity, Extraction
from graph.values.names import key
from graph.values.ontology import PRESETS, Ontology

TYPES = tuple(PRESETS[Ontology.RESEARCH].entities)
NOT_NAMES = VALUES - {"CODE"}  # “GPT-4” looks like a code

_METHODS = (
    r"(?:models?|methods?|frameworks?|approach(?:es)?|architectures?|systems?|networks?|pipelines?|agents?|"
    r"techniques?|procedures?|encoders?|decoders?|transformers?|modules?|baselines?|optimi[sz]ers?|"
    r"retrievers?|rerankers?|tokeni[sz]ers?|toolkits?|librar(?:y|ies)|classifiers?)"
)
_DATASETS = (
    r"(?:data ?sets?|benchmarks?|corpus|corpora|collections?|test sets?|testbeds?|leaderboards?|treebanks?)"
)
_CONCEPTS = r"(?:tasks?|problems?|theory|theories|phenomenon|hypothesis|paradigm|effect|field|notion|concept)"
_METRICS = r"(?:scores?|metrics?|measures?)"
_CALLED = r"(?: (?:called|named|termed|dubbed|known as|such as|like|including|namely))?,? ?\(?(?:the )?"
_IS_A = r",? (?:(?:is|are|which is) )?(?:an?|the|our|two) (?:[\w-]+ ){0,5}"
_TRIED = r"\b(?:evaluat|experiment|test|train|pretrain|tun|benchmark|result|scor|perform|accurac|validat)\w*"
_MANY = r"(?: (?:the|both|all|two|three|four|popular|public|standard|large))*"

_BEHIND = (  # type, weight, what stands behind the name
    ("DATASET", 3, rf"(?: [\w-]+){{0,2}} {_DATASETS}\b|{_IS_A}{_DATASETS}\b"),
    ("ALGORITHM", 3, rf"(?: [\w-]+)? algorithms?\b|{_IS_A}algorithm\b"),
    ("METRIC", 3, rf" {_METRICS}\b|@\d"),
    ("METHOD", 3, rf"(?: [\w-]+)? {_METHODS}\b|{_IS_A}{_METHODS}\b"),
    ("METHOD", 1, r",? (?:which |that )?(?:\w+ly )?(?:outperform|improve|surpass|achieve|attain|obtain)"),
    ("CONCEPT", 3, rf" {_CONCEPTS}\b"),
)
_BEFORE = (  # type, weight, what stands before the name
    ("DATASET", 2, rf"\b{_DATASETS}{_CALLED}"),
    ("DATASET", 2, rf"{_TRIED}(?: [\w-]+){{0,4}} (?:on|over){_MANY},? "),
    ("ALGORITHM", 2, rf"\balgorithms?{_CALLED}"),
    ("METRIC", 2, rf"\b(?:metrics?|in terms of|measured (?:by|in|as|with)){_CALLED}"),
    ("METHOD", 2, rf"\b{_METHODS}{_CALLED}"),
    ("METHOD", 1, r"\b(?:propos|introduc|present|develop|design)(?:e|es|ed|s|ing)?,? (?:an? |the |our )?"),
    ("CONCEPT", 2, rf"\b{_CONCEPTS} of (?:the )?"),
)
_WITHIN = (  # type, weight, how the name itself ends
    ("DATASET", 3, _DATASETS),
    ("ALGORITHM", 3, r"algorithms?"),
    ("METHOD", 2, _METHODS),
    ("METRIC", 3, _METRICS),
)
_KNOWN = (  # names that most papers mention without a word of what they are
    (
        "DATASET",
        r"(?:Super)?GLUE|SQuAD|(?:Multi|X|S)?NLI|MNLI|ImageNet|(?:Fashion-)?MNIST|CIFAR(?:-\d+)?|COCO|"
        r"HotpotQA|MuSiQue|2WikiMulti[Hh]opQA|TriviaQA|Natural Questions|MS[ -]?MARCO|BEIR|MMLU|GSM8K|"
        r"HumanEval|WikiText|WMT(?: ?\d+)?|LibriSpeech|Penn Treebank|Wikipedia|Common Crawl",
    ),
    (
        "METHOD",
        r"\w*BERT\w*|GPT(?:-[\w.]+)?|ChatGPT|LLaMA\w*|Llama|T5|ELMo|Transformers?|\w*LSTMs?|CNNs?|RNNs?|GNNs?|"
        r"LLMs?|ResNet(?:-\d+)?|word2vec|GloVe|RAG",
    ),
    ("ALGORITHM", r"Adam|SGD|(?:Personali[sz]ed )?PageRank|BM25|TF-IDF|k-means|Louvain|A\*|MCTS"),
)
_CUES_BEHIND = [(kind, weight, re.compile(cue, re.IGNORECASE)) for kind, weight, cue in _BEHIND]
_CUES_BEFORE = [(kind, weight, re.compile(rf"(?:{cue})$", re.IGNORECASE)) for kind, weight, cue in _BEFORE]
_CUES_WITHIN = [(kind, weight, re.compile(rf"\s(?:{cue})$", re.IGNORECASE)) for kind, weight, cue in _WITHIN]
_CUES_KNOWN = [(kind, re.compile(rf"(?:{names})(?: v?\d[\d.]*)?")) for kind, names in _KNOWN]
_AROUND = 70  # characters before and behind a name that may tell its type
_COINED = re.compile(  # CamelCase, “ELMo”, “GPT-4”, “word2vec”
    r"(?=.*[a-z])(?:\w*[A-Z]){2}[\w-]*|[A-Z][A-Za-z]*-\d+[\w.]*|[A-Za-z]+\d[\w-]*"
)
_LIST = re.compile(r"(?:,| and| or|, and|, or|,? as well as| &)\s(?:the )?")

# --- what the general rules do not see as a name ---------------------------------------------------------
_METRIC_NAMES = re.compile(
    r"\b(?:s?BLEU(?:-\d)?|ROUGE(?:-[\dLNW]+)?|METEOR|chrF|BERTScore|F-?1(?:[- ]scores?)?|F-?score|"
    r"[nN]?DCG(?:@\d+)?|MRR(?:@\d+)?|mAP|AUC|AUROC|WER|RMSE|MSE|MAE|"
    r"(?:[Rr]ecall|[Pp]recision|[Hh]its) ?@ ?\d+|pass@\d+|[Ee]xact [Mm]atch|[Ww]ord [Ee]rror [Rr]ate|"
    r"[Mm]ean [Aa]verage [Pp]recision|"
    r"[Mm]ean [Rr]eciprocal [Rr]ank|[Pp]erplexity|accuracy|precision and recall)(?![\w-])"
)
_SHORT = re.compile(r"\b((?:[A-Za-z][\w-]*[ \n]){1,7})\(([A-Z][A-Za-z]{0,6}?[A-Z])s?\)")
_WITH_DIGIT = re.compile(r"\b\d{1,2}[A-Z][a-z]\w*[A-Z]\w*")


def with_terms(text: str, found: Sequence[Mention]) -> list[Mention]:
    """The mentions of a passage, and what papers name besides: metrics, the words before a short form."""
    terms = [Mention(*match.span(), "METRIC") for match in _METRIC_NAMES.finditer(text)]
    terms += [mention for match in _SHORT.finditer(text) if (mention := _in_full(match))]
    terms += [Mention(*match.span()) for match in _WITH_DIGIT.finditer(text)]
    return apart([*(mention for mention in found if mention.type in NOT_NAMES), *terms, *found])


def _in_full(match: re.Match[str]) -> Mention | None:
    """The words whose initials are the letters in brackets, “retrieval-augmented generation (RAG)”."""
    words = list(re.finditer(r"[A-Za-z][\w-]*", match[1]))
    for first in range(len(words) - 1, -1, -1):
        parts = [part for word in words[first:] for part in word[0].split("-") if part]
        if "".join(part[0] for part in parts).lower() == match[2].lower():
            start = match.start() + words[first].start()
            name = match[1][words[first].start() :].rstrip()
            is_method = re.search(rf"(?:^|\s){_METHODS}$", name, re.IGNORECASE)
            return Mention(start, start + len(name), "METHOD" if is_method else "CONCEPT")
    return None


# --- types -----------------------------------------------------------------------------------------------
def typed(chunks: Sequence[str], extractions: Sequence[Extraction]) -> list[Extraction]:
    """The same things with the types of research, and relations with theirs as their first keyword.

    All passages of a document have a say in what a name is.
    """
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for text, extraction in zip(chunks, extractions, strict=True):
        for entity in extraction.entities:
            votes[_key(entity)].update(_told(text, entity))
    for text, extraction in zip(chunks, extractions, strict=True):
        _vote_in_lists(text, extraction.entities, votes)
    kinds = {name: max(TYPES, key=lambda kind: count[kind]) for name, count in votes.items() if count}
    return [_retyped(text, one, kinds) for text, one in zip(chunks, extractions, strict=True)]


def _key(entity: ExtractedEntity) -> str:
    return key(entity.stands_for or entity.name)


def _told(text: str, entity: ExtractedEntity) -> Counter[str]:
    """What the words around a name, and its own last one, say that it is. A title is none of these things."""
    told: Counter[str] = Counter()
    if entity.types[0] in NOT_NAMES or entity.types[0] == "TOPIC":
        return told
    if entity.types[0] in TYPES:
        told[entity.types[0]] = 5
        return told
    before = re.sub(r"\s", " ", text[max(0, entity.start - _AROUND) : entity.start])
    behind = re.sub(r"\s", " ", text[entity.end : entity.end + _AROUND])
    cues = [(kind, weight) for kind, weight, cue in _CUES_BEFORE if cue.search(before)]
    cues += [(kind, weight) for kind, weight, cue in _CUES_BEHIND if cue.match(behind)]
    cues += [(kind, weight) for kind, weight, cue in _CUES_WITHIN if cue.search(entity.name)]
    cues += [(kind, 4) for kind, cue in _CUES_KNOWN if cue.fullmatch(entity.name)]
    for kind, weight in cues:
        told[kind] = max(told[kind], weight)
    return told


def _vote_in_lists(text: str, entities: Sequence[ExtractedEntity], votes: dict[str, Counter[str]]) -> None:
    """“MuSiQue, WikiHop and HotpotQA” are of one kind: what is told of one counts for those beside it."""
    names = [entity for entity in entities if entity.types[0] not in NOT_NAMES]
    beside = [pair for pair in pairwise(names) if _LIST.fullmatch(text[pair[0].end : pair[1].start])]
    for one, other in [*beside, *((b, a) for a, b in reversed(beside))]:
        known = votes[_key(one)]
        if known and not votes[_key(other)]:
            votes[_key(other)][max(TYPES, key=lambda kind: known[kind])] = 1


def _retyped(text: str, extraction: Extraction, kinds: dict[str, str]) -> Extraction:
    authors = {entity.start for entity in _byline(text, extraction.entities)}
    entities = tuple(
        replace(entity, types=(kinds.get(_key(entity)) or _otherwise(entity, entity.start in authors),))
        for entity in extraction.entities
    )
    return Extraction(
        entities=entities,
        relations=tuple(of_research(text, relation, entities) for relation in extraction.relations),
    )


def _otherwise(entity: ExtractedEntity, is_author: bool) -> str:
    """Where no words tell: capitals are seldom a company here, and a coined word is mostly a method."""
    name, kind = entity.name, entity.types[0]
    if is_author:
        return "PERSON"
    if kind == "ORGANIZATION" and name.isupper() and name.isalpha():
        return "CONCEPT"
    return "METHOD" if kind in ("NAME", "CODE") and len(name) < 30 and _COINED.fullmatch(name) else kind


def _byline(text: str, entities: Sequence[ExtractedEntity]) -> Iterator[ExtractedEntity]:
    """The people of a line that has nothing but several names of two to four words."""
    for line in re.finditer(r"[^\n]+,[^\n]+", text):
        here = [entity for entity in entities if line.start() <= entity.start < line.end()]
        left = line[0]
        for entity in here:
            left = left.replace(entity.name, "")
        if len(here) > 1 and not re.sub(r"\band\b|[\s,;*†‡&\d]", "", left):
            yield from (entity for entity in here if 2 <= len(entity.name.split()) <= 4)
