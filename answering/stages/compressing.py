"""Passages that are too long together for the model are shortened, by whole sentences."""

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext_noop

from answering.shortening.compression import compressed
from answering.stages.ranking import everything_found, read_whole
from answering.stages.stage import Stage
from answering.state.work import Work
from answering.values.events import StageStarted
from localization.stored import said, said_of
from providers.openai.tokens import estimated_tokens
from retrieval.evidence import Evidence
from retrieval.tables import markdown


class Compressing(Stage):
    """What is left is letter for letter in the document, so that it can be quoted."""

    name = "compressing"
    label = gettext_noop("Shorten")
    icon = "highlighter"
    doing = gettext_noop("Choosing the best passages")
    switch = "compress"
    time_limit = 5.0
    without = gettext_noop("The passages were not shortened.")

    def is_due(self, work: Work) -> bool:
        return bool(work.rounds.unread) and not work.passages.read_whole and not work.means.model.plans_here

    async def run(self, work: Work) -> None:
        before, after = shorten(work)
        if before == after:
            return
        text = f"Sentences that matter least left out: about {before:,} units of text to {after:,}"
        await work.means.emit(
            StageStarted(stage=self.name, step=self.step(f"{self.name}-{work.rounds.number}", text, state=""))
        )


def shorten(work: Work) -> tuple[int, int]:
    """Make the passages fit, beginning from what is left of them; how many tokens they had and have."""
    union, texts = everything_found(work), work.passages.texts
    if texts is None:
        texts = {chunk: each.text for chunk, each in union.items()}
    left = {chunk: replace(union[chunk], text=text) for chunk, text in texts.items() if chunk in union}
    asked_for = {} if work.passages.too_long else read_whole(work)
    whole = {chunk: passage.text for chunk, passage in left.items() if chunk in asked_for}
    passages = [passage for chunk, passage in left.items() if chunk not in asked_for]
    before = sum(estimated_tokens(passage.text + markdown(passage, passage.text)) for passage in passages)
    if before <= work.passages.tokens:
        return before, before
    chosen = whole | compressed(passages, work.question, work.passages.tokens)
    work.passages = replace(work.passages, texts=chosen)
    if work.passages.too_long:
        _say_what_is_left_out(work, left)
    shortened = (text for chunk, text in chosen.items() if chunk not in asked_for)
    return before, sum(map(estimated_tokens, shortened))


def _say_what_is_left_out(work: Work, before: Mapping[int, Evidence]) -> None:
    """Page by page, of what was asked for by its place. before: by chunk, what was left of each passage."""
    assert work.passages.texts is not None
    pages: dict[str, set[int]] = {}
    for chunk, passage in read_whole(work).items():
        if chunk in before and work.passages.texts.get(chunk) != before[chunk].text:
            numbers = range(passage.first_page, passage.last_page + 1)
            pages.setdefault(passage.document_title, set()).update(numbers)
    if pages:
        of_documents = [
            said_of(
                "{title} (page {pages})",
                "{title} (pages {pages})",
                n=len(numbers),
                title=title,
                pages=[str(number) for number in sorted(numbers)],
            )
            for title, numbers in pages.items()
        ]
        work.notice(
            "not_read_whole",
            said("The model could not read all of these pages at once: {pages}.", pages=of_documents),
        )
