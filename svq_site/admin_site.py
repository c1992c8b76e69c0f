"""The admin: one sign-in for all; names and texts for those who may see contents, whose looks are logged."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.audit import ADDRESS_SHOWN
from accounts.contents import allow, may_see, names_hidden
from accounts.models import AuditAct, AuditEntry, User

# By app and by model, where theirs would be taken for something else: "Accounts" stood there twice, and
# "Groups" are not the groups of people.
NAMES = {
    "account": "Addresses of accounts",
    "auth": "Rights in this administration",
    "Group": "Groups of rights",
}


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

    def get_urls(self) -> list[URLPattern | URLResolver]:
        switch = require_POST(switch_names)
        return [path("names/", self.admin_view(switch), name="switch_names"), *super().get_urls()]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {
            "sees_names": may_see(request),
            "may_switch_names": bool(getattr(request.user, "is_superuser", False)),
        }

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """What can be changed, by app; then what can only be looked at."""
        sections = super().get_app_list(request, app_label)
        for named in (*sections, *(model for section in sections for model in section["models"])):
            named["name"] = NAMES.get(named.get("app_label") or named["object_name"], named["name"])
        return [
            section | {"name": f"{section['name']}{suffix}", "models": models}
            for is_look, suffix in ((False, ""), (True, ": only to look at"))
            for section in sections
            if (models := [each for each in section["models"] if each.get("view_only", False) == is_look])
        ]


def switch_names(request: HttpRequest) -> HttpResponse:
    """A superuser shows or hides names and texts for themselves, and comes back to the same page."""
    person = request.user
    if not isinstance(person, User) or not person.is_superuser:
        raise PermissionDenied
    allowed = {"1": True, "0": False}.get(request.POST.get("show", ""))
    if allowed is not None and allowed != person.may_see_contents:
        allow(person, by=person, allowed=allowed)
    back = request.POST.get("next", "")
    is_here = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if is_here else reverse("admin:index"))


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
            address=f"{request.method} {request.path}"[:ADDRESS_SHOWN],
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
