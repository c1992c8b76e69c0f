"""The page on which the REST interface can be read and tried."""

from typing import Any

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularSwaggerSplitView


# Swagger UI sets styles from its script; the split view keeps the scripts themselves in files.
@method_decorator(csp_update({"style-src": ["'unsafe-inline'"]}), name="dispatch")
class ApiDocs(SpectacularSwaggerSplitView):
    url_name = "api-schema"

    def setup(self, *args: Any, **kwargs: Any) -> None:
        super().setup(*args, **kwargs)
        self.http_method_names = ["get", "head"]  # OPTIONS would have no page
