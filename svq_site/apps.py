"""The site's app: it registers the system checks."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "svq_site"

    def ready(self) -> None:
        from svq_site.host import checks  # noqa: F401
