"""The page on which the REST interface can be read and tried, and what its description lacks without help."""

from typing import Any

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.views import SpectacularSwaggerSplitView


# Swagger UI sets styles from its script; the split view keeps the scripts themselves in files.
@method_decorator(csp_update({"style-src": ["'unsafe-inline'"]}), name="dispatch")
class ApiDocs(SpectacularSwaggerSplitView):
    url_name = "api-schema"

    def setup(self, *args: Any, **kwargs: Any) -> None:
        super().setup(*args, **kwargs)
        self.http_method_names = ["get", "head"]  # OPTIONS would have no page


class ApiTokenScheme(OpenApiAuthenticationExtension):
    """How to send an API token. drf-spectacular knows the class by its being defined."""

    target_class = "accounts.api_tokens.ApiTokenAuthentication"
    name = "apiToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "svq_…"}
