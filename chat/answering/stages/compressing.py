"""Passages that are too long together for the model are shortened, by whole sentences."""

from chat.answering.stages.compression import compressed
from chat.answering.stages.ranking import everything_found
from chat.answering.stages.stage import Stage, Work
from chat.events import StageStarted
from providers.openai.tokens import estimated_tokens
from retrieval.tables import markdown


class Compressing(Stage):
    """What is left is letter for letter in the document, so that it can be quoted."""

    name = "compressing"
    label = "Shorten"
    icon = "highlighter"
    doing = "Choosing the best passages"
    switch = "compress"
    time_limit = 5.0
    without = "The passages were not shortened"

    def is_due(self, work: Work) -> bool:
        return bool(work.unread) and self.name not in work.done and not work.model.quotes_only

    async def run(self, work: Work) -> None:
        before, after = shorten(work)
        if before == after:
            return
        text = f"Sentences that matter least left out: about {before:,} tokens to {after:,}"
        await work.emit(
            StageStarted(stage=self.name, step=self.step(f"{self.name}-{work.round}", text, state=""))
        )


def shorten(work: Work) -> tuple[int, int]:
    """Make the passages fit; how many tokens they had and have."""
    union = everything_found(work)
    kept = list(union) if work.passages is None else [chunk for chunk in work.passages if chunk in union]
    passages = [union[chunk] for chunk in kept]
    before = sum(estimated_tokens(passage.text + markdown(passage, passage.text)) for passage in passages)
    if before <= work.context_tokens:
        return before, before
    work.passages = compressed(passages, work.standalone, work.context_tokens)
    return before, sum(map(estimated_tokens, work.passages.values()))
