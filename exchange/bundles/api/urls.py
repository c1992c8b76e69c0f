"""REST addresses of bundles, under /api/v1/."""

from django.urls import path

from exchange.bundles.api.views import Bundle, BundleImportDetail, BundleImports

urlpatterns = [
    path("data-sources/<int:pk>/bundle", Bundle.as_view(), name="api-bundle"),
    path("bundle-imports", BundleImports.as_view(), name="api-bundle-imports"),
    path("bundle-imports/<uuid:pk>", BundleImportDetail.as_view(), name="api-bundle-import"),
]
