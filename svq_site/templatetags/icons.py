"""The icon of a name, as every page draws it: {% icon "x" %}, {% icon "x" "i-sm muted" %}."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str, classes: str = "") -> SafeString:
    """An `<svg>` that shows a symbol of static/icons.svg; it adds no white space around itself."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        f"i {classes}".rstrip(),
        static("icons.svg"),
        name,
    )
