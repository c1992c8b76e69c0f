"""What administrators read of a job."""

WORDS = {
    "answer": "Answering a question",
    "assess": "Check against a list",
    "count_pages": "Counting the pages of a document",
    "embed_graph": "Embedding the graph",
    "embed_passages": "Embedding passages",
    "evaluate": "Evaluation",
    "extract_unread": "Reading for the graph",
    "fill_space": "Embedding with another model",
    "fill_table": "Filling a table",
    "finish_deletions": "Finishing deletions",
    "follow": "Updating the graph after deletions",
    "import_papers": "Importing papers",
    "ingest": "Reading a document",
    "install_model": "Installing a model",
    "introduce": "Introducing a datasource",
    "lead_on": "Trying questions that lead on",
    "judge_pairs": "Comparing names",
    "lay_out_graph": "Drawing the graph",
    "maintain_vectors": "Search index",
    "make_questions": "Making questions",
    "mask_what_was_said": "Masking personal data",
    "purge_deleted": "Deleting documents",
    "search_papers": "Searching papers",
    "summarise": "Summaries",
}


def words(task: str) -> str:
    """Tasks that are named after nothing that a person asked for are told by their names."""
    name = task.rpartition(".")[2]
    return WORDS.get(name) or name.replace("_", " ").capitalize()
