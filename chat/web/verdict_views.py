"""The page that explains the verdicts: the states, who reads, and which checkers can be installed."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from chat.models import AnswerSettings
from chat.web.answers import badges
from datasources.models import Role
from datasources.web.pages import HtmxRequest, bar, datasource_for
from providers.local_models.known import KNOWN
from providers.local_models.roles import LocalRole
from providers.roles import ModelRole, endpoint, name_of

STATES = (
    (
        badges.BY_CODE,
        _(
            "Claim and quote say the same in nearly the same words; figures, dates, names and units are "
            "equal."
        ),
    ),
    (
        badges.BY_READER,
        _(
            "A second reader finds the claim in the quote, and code finds nothing against it. Its name is "
            "shown."
        ),
    ),
    (
        badges.FACTS_AGREE,
        _("Every figure, date and name agrees. Only ordinary words differ, and nobody else has read it."),
    ),
    (badges.NEEDS_EYE, _("Neither could be sure, or they disagree. The reason is shown.")),
    (badges.CONTRADICTED, _("The quote says something else: another figure, the opposite, or a “not”.")),
    (badges.ABSENT, _("The words of the quote are nowhere in the documents that were searched.")),
)


@login_required
@require_safe
def verdicts(request: HtmxRequest, pk: int) -> HttpResponse:
    datasource = datasource_for(request, pk, Role.ASKER)
    judge, agent = endpoint(datasource, ModelRole.JUDGE), endpoint(datasource, ModelRole.AGENT)
    context = bar(datasource, "chat") | {
        "states": STATES,
        "reader": judge.model if judge else "",
        "reader_host": judge.host if judge else "",
        "reader_writes": judge is not None and judge == agent,
        "is_on": AnswerSettings.objects.of(datasource).judge,
        "checker": name_of(ModelRole.ENTAILMENT),
        "checkers": [model for model in KNOWN.values() if model.role == LocalRole.ENTAILMENT],
    }
    return render(request, "chat/verdicts.html", context)
