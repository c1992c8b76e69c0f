"""What administrators read of a job."""

from django.utils.translation import gettext_lazy

WORDS = {
    "answer": gettext_lazy("Answering a question"),
    "assess": gettext_lazy("Check against a list"),
    "count_pages": gettext_lazy("Counting the pages of a document"),
    "embed_graph": gettext_lazy("Embedding the graph"),
    "embed_passages": gettext_lazy("Embedding passages"),
    "evaluate": gettext_lazy("Evaluation"),
    "extract_unread": gettext_lazy("Reading for the graph"),
    "fill_space": gettext_lazy("Embedding with another model"),
    "fill_table": gettext_lazy("Filling a table"),
    "finish_deletions": gettext_lazy("Finishing deletions"),
    "follow": gettext_lazy("Updating the graph after deletions"),
    "import_papers": gettext_lazy("Importing papers"),
    "ingest": gettext_lazy("Reading a document"),
    "install_model": gettext_lazy("Installing a model"),
    "introduce": gettext_lazy("Introducing a datasource"),
    "lead_on": gettext_lazy("Trying questions that lead on"),
    "judge_pairs": gettext_lazy("Comparing names"),
    "lay_out_graph": gettext_lazy("Drawing the graph"),
    "look_at_folder": gettext_lazy("Comparing a connected source"),
    "maintain_vectors": gettext_lazy("Search index"),
    "make_questions": gettext_lazy("Making questions"),
    "mask_what_was_said": gettext_lazy("Masking personal data"),
    "purge_deleted": gettext_lazy("Deleting documents"),
    "search_papers": gettext_lazy("Searching papers"),
    "summarise": gettext_lazy("Summaries"),
}


def words(task: str) -> str:
    """Tasks that are named after nothing that a person asked for are told by their names."""
    name = task.rpartition(".")[2]
    return str(WORDS.get(name, "")) or name.replace("_", " ").capitalize()
