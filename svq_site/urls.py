"""Every address of the site: each app's pages, the REST interface, sign-in, admin, health."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from desks.present import urls_of
from svq_site.host.health import healthz
from svq_site.monitoring.views import metrics
from svq_site.palette.views import palette

addresses_of_other_systems = (
    [
        path("", include("exchange.compatible.urls")),
        path("api/", include((urls_of("research", "api.assistant_urls"), ""))),
    ]
    if settings.COMPATIBLE_ADDRESSES
    else []
)

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("", include("accounts.web.urls")),
    path("", include("svq_site.dashboard.urls")),
    path("", include("providers.web.urls")),
    path("", include("datasources.web.urls")),
    path("", include("datasources.settings.urls")),
    path("", include("ingestion.web.urls")),
    path("", include("graph.web.urls")),
    path("", include("graph.web.document_map_urls")),
    path("", include("graph.web.extraction_urls")),
    path("", include("summaries.web.urls")),
    *urls_of("evaluation", "web.urls"),
    *urls_of("tables", "web.urls"),
    path("", include("digest.web.urls")),
    path("", include("exchange.packs.web.urls")),
    path("", include("memos.web.urls")),
    path("", include("exchange.shares.web.urls")),
    path("", include("exchange.connectors.web.urls")),
    path("", include("exchange.webhooks.web.urls")),
    path("", include("exchange.outside_tools.web.urls")),
    path("", include("exchange.bundles.web.urls")),
    *urls_of("research", "web.urls"),
    *urls_of("compliance", "web.urls"),
    path("", include("chat.web.urls")),
    path("", include("reader.web.urls")),
    path("", include("svq_site.usage.urls")),
    path("", include("svq_site.activity.urls")),
    path("", include("svq_site.audit.urls")),
    path("", include("svq_site.people.urls")),
    path("", include("svq_site.matters.urls")),
    path("palette/", palette, name="palette"),
    path("v1/", include("exchange.openai.urls")),
    path("", include("exchange.oauth.urls")),
    path("scim/v2/", include("svq_site.scim.urls")),
    *addresses_of_other_systems,
    path("api/v1/", include("svq_site.api_urls")),
]

handler429 = "accounts.web.views.too_many_requests"
handler400 = "svq_site.api_errors.bad_request"
handler403 = "svq_site.api_errors.permission_denied"
handler404 = "svq_site.api_errors.page_not_found"
handler500 = "svq_site.api_errors.server_error"
