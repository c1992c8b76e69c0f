"""The matter of a datasource, for whoever may know of it."""

from typing import Any

from django import template

from accounts.models import User
from datasources.models import Datasource, Matter

register = template.Library()


@register.simple_tag
def matter_of(datasource: Any, person: Any) -> Matter | None:
    """Its matter, if the person sees that too; None outside of datasources."""
    if not isinstance(datasource, Datasource) or datasource.matter_id is None or not isinstance(person, User):
        return None
    return Matter.objects.visible_to(person).filter(pk=datasource.matter_id).first()
