"""What a page shows of people's decisions about the graph."""

from django import template

from graph.curation.decisions import DecisionText, in_words
from graph.curation.services import decisions_about
from graph.models import Entity

register = template.Library()


@register.simple_tag
def decision_texts(entity: Entity) -> list[DecisionText]:
    """The decisions that bear on an entity, the newest first."""
    return in_words(decisions_about(entity))
