"""The admin's app, with a site of our own and models whose names can be hidden."""

from django.contrib.admin.apps import AdminConfig


class SvqAdminConfig(AdminConfig):
    default_site = "svq_site.admin_site.Site"

    def ready(self) -> None:
        super().ready()
        from accounts.contents import numbered_when_hidden
        from svq_site.admin_site import models_with_contents

        for model in models_with_contents():
            numbered_when_hidden(model)
