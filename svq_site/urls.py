"""Every address of the site: each app's pages, the REST interface, sign-in, admin, health."""

from django.contrib import admin
from django.urls import include, path

from svq_site.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("account/", include("allauth.urls")),
]
