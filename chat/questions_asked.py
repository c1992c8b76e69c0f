"""What people have asked in a datasource, for the self-test of its index (settings.QUESTIONS_ASKED)."""

from chat.models import Turn


def latest(datasource_id: int, limit: int) -> list[str]:
    """The latest questions, each once."""
    turns = Turn.objects.filter(conversation__datasource=datasource_id).order_by("-created")
    return list(dict.fromkeys(turns.values_list("question", flat=True)[: 2 * limit]))[:limit]
