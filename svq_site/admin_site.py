"""The admin: one sign-in for all; names and texts for those who may see contents, whose looks are logged."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.audit import ADDRESS_SHOWN
from accounts.contents import may_see, names_hidden
from accounts.models import AuditAct, AuditEntry, User


class Site(admin.AdminSite):
    site_header = site_title = "SVQ administration"

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return secure_admin_login(super().login)(request, extra_context)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Each page of the admin passes here."""

        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if may_see(request):
                write_down(request)
            with names_hidden(not may_see(request)):
                answer: HttpResponse = view(request, *args, **kwargs)
                # Otherwise it would be rendered when names are no longer hidden.
                return answer.render() if isinstance(answer, TemplateResponse) else answer

        return super().admin_view(shown, cacheable)


def write_down(request: HttpRequest) -> None:
    """Before anything is shown, so that no look is without an entry."""
    model, person = contents_of(request), request.user
    if model and isinstance(person, User):
        match = request.resolver_match
        AuditEntry.objects.create(
            person=person,
            email=person.email,
            act=AuditAct.LOOKED,
            subject=model._meta.label,
            number=str(match.kwargs.get("object_id", "")).replace("\0", "")[:40] if match else "",
            address=f"{request.method} {request.get_full_path()}"[:ADDRESS_SHOWN],
        )


def contents_of(request: HttpRequest) -> type[Model] | None:
    """The model with contents whose page it is."""
    name = request.resolver_match.url_name or "" if request.resolver_match else ""
    if name == "autocomplete":
        name = f"{request.GET.get('app_label')}_{request.GET.get('model_name')}_autocomplete"
    for model in models_with_contents():
        if name.startswith(f"{model._meta.app_label}_{model._meta.model_name}_"):
            return model
    return None


def models_with_contents() -> list[type[Model]]:
    """Models whose admin says which fields are open to all administrators."""
    return [model for model, shown in admin.site._registry.items() if hasattr(shown, "open_fields")]
