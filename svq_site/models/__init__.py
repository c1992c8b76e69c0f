"""What the site itself keeps about a person."""

from svq_site.models.welcome import Welcome

__all__ = ["Welcome"]
