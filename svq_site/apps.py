"""The site's app: it registers the system checks, and what `migrate` does at its end."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SiteConfig(AppConfig):
    name = "svq_site"

    def ready(self) -> None:
        from svq_site.database.pooler import keep_session_settings
        from svq_site.host import checks  # noqa: F401

        post_migrate.connect(keep_session_settings, sender=self)
