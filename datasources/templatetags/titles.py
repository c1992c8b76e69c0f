"""How long titles are written on pages."""

from django import template

register = template.Library()


@register.filter
def both_ends(title: str, most: int) -> str:
    """“Agreement for hosted…well v2”: versions and numbers stand at the end, so the middle is left out."""
    if len(title) <= most:
        return title
    end = most * 2 // 5
    return f"{title[: most - end - 1].rstrip()}…{title[-end:].lstrip()}"
