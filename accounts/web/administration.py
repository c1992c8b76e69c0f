"""How people sign in here: the page of administrators, with the providers and what is asked of everybody."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts import second_factor as rules
from accounts.audit import note
from accounts.identity.models import IdentityProvider
from accounts.identity.saml.certificates import warning
from accounts.models import AuditAct
from providers.web.administrators import administrators_only
from settings_pages.saving import save_fields


class SignInForm(forms.Form):
    """Saved as it is switched."""

    second_factor = forms.BooleanField(
        label=gettext_lazy("Everybody needs a second factor"),
        required=False,
        help_text=gettext_lazy(
            "Whoever has none sets one up at the next sign-in, before anything else. Sign-ins "
            "without one end at once, in browsers and programs; API tokens stay."
        ),
        widget=forms.CheckboxInput(attrs={"class": "switch", "role": "switch"}),
    )

    def __init__(self, *args: Any, can_require: bool, **kwargs: Any) -> None:
        kwargs["initial"] = {"second_factor": rules.is_required()}
        super().__init__(*args, **kwargs)
        self.can_require = can_require

    def clean_second_factor(self) -> bool:
        required: bool = self.cleaned_data["second_factor"]
        if required and not self.can_require:
            raise forms.ValidationError(
                _("Set up a second factor for yourself first, or sign in with it: you would be signed out.")
            )
        return required


@require_safe
@administrators_only
def sign_in_settings(request: HttpRequest) -> HttpResponse:
    """The providers, and the rule for second factors."""
    return _page(request, SignInForm(can_require=True))


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def save_sign_in_setting(request: HttpRequest) -> HttpResponse:
    """The rule. An administrator who has shown no second factor would be the first to be locked out."""
    if request.method != "POST":
        return redirect("sign_in_settings")
    form = SignInForm(request.POST, can_require=rules.has_shown_one(request))

    def save(second_factor: bool) -> None:
        rule = rules.require(second_factor)
        note(request.user, AuditAct.RULE, rule, str(rule))

    def refused(form: forms.BaseForm) -> HttpResponse:
        return _page(request, form, status=422)

    return save_fields(request, form, save, page=refused, back=reverse("sign_in_settings"))


def _page(request: HttpRequest, form: forms.BaseForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "providers": [(one, warning(one)) for one in IdentityProvider.objects.all()],
        "here": "sign_in_settings",
        "tab": "account",
    }
    return render(request, "accounts/sign_in_settings.html", context, status=status)
