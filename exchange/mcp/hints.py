"""What an agent can do about documents that can't be searched: by its tools, not by addresses of REST."""

from retrieval.api.documents import Hints

HINTS = Hints(
    datasources="Call list_datasources to see those that there are.",
    documents="Call list_datasources with the number of a datasource to see its documents.",
    being_read="Call again when list_datasources says “ready” of it.",
    not_read="Leave it out; the link that list_datasources gives shows people why.",
    too_many="Make several calls, each with some of the documents.",
)
