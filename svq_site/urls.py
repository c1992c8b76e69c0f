"""Every address of the site: each app's pages, the REST interface, sign-in, admin, health."""

from django.contrib import admin
from django.urls import include, path

from svq_site.health import healthz
from svq_site.palette import palette

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("datasources.urls")),
    path("", include("ingestion.urls")),
    path("", include("ingestion.graph.pages.urls")),
    path("", include("ingestion.similarity.urls")),
    path("", include("ingestion.graph.pages.extraction_urls")),
    path("", include("chat.urls")),
    path("", include("chat.reader_urls")),
    path("palette/", palette, name="palette"),
    path("api/v1/", include("svq_site.api_urls")),
]

handler400 = "svq_site.api_errors.bad_request"
handler403 = "svq_site.api_errors.permission_denied"
handler404 = "svq_site.api_errors.page_not_found"
handler500 = "svq_site.api_errors.server_error"
