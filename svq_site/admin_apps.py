"""The admin's app, with a site of our own and models whose names can be hidden."""

from django.contrib.admin.apps import AdminConfig


class SvqAdminConfig(AdminConfig):
    default_site = "svq_site.admin_site.Site"

    def ready(self) -> None:
        super().ready()
        from allauth.mfa.models import Authenticator
        from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
        from django.contrib import admin

        from accounts.contents import numbered_when_hidden
        from svq_site.admin_site import models_with_contents

        # Whoever changes these is let in as somebody else; and nobody has to see them.
        admin.site.unregister([Authenticator, SocialAccount, SocialApp, SocialToken])
        for model in models_with_contents():
            numbered_when_hidden(model)
