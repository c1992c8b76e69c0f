"""The forms in which an owner chooses, of what administrators offer, a model for a role."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from datasources.model_choice import choose, roles_of_choice
from datasources.models import Role
from datasources.settings.sections import page_of_section
from datasources.web.pages import datasource_for, posted_from

PAGE = page_of_section("models")
UNKNOWN = -1  # no model's number


class ChoiceForm(forms.Form):
    """A number of a connection for each role that is to change; empty: as everywhere else."""

    agent = forms.IntegerField(required=False)
    extraction = forms.IntegerField(required=False)
    judge = forms.IntegerField(required=False)


@login_required
@posted_from(PAGE)
def choose_models(request: HttpRequest, pk: int) -> HttpResponse:
    """What the owner chooses, of what administrators offer."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = ChoiceForm(request.POST)
    form.is_valid()
    try:
        roles = [role for role in roles_of_choice(datasource) if role in form.data]
        if not roles:
            raise ValidationError(_("No model was chosen. Nothing was changed."))
        choose(datasource, {role: form.cleaned_data.get(role, UNKNOWN) for role in roles})
    except ValidationError as refused:
        messages.error(request, refused.messages[0])
        return redirect(PAGE(pk))
    messages.success(request, _("The model is chosen. It is used from the next question on."))
    return redirect(PAGE(pk))
