"""Who may share answers by a link, in the settings of a datasource."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from datasources.settings.sections import page_of_section
from datasources.settings.views import section_page
from datasources.web.pages import HtmxRequest, datasource_for, posted_from
from exchange.shares.models import ShareLink, Sharers, ShareRule
from exchange.shares.services import resting, sharers_of
from settings_pages.saving import save_fields
from settings_pages.search import Place, Setting

SHOWN = 100  # links, the newest
SECTION = page_of_section("people", "#share-links")


class SharersForm(forms.Form):
    sharers = forms.ChoiceField(
        label=gettext_lazy("Who may share answers by a link"),
        choices=Sharers.choices,
        widget=forms.RadioSelect(attrs={"class": "check"}),
        help_text=gettext_lazy(
            "Whoever has one sees the answer, its quotes and the cited pages without an account. "
            "Links of people who may not share any more show nothing."
        ),
    )

    @classmethod
    def of(cls, datasource: Datasource, data: QueryDict | None = None) -> "SharersForm":
        return cls(data, initial={"sharers": sharers_of(datasource)}, auto_id="shares_%s")


class SharesPanel(SettingsPanel):
    section, template, anchor = "people", "shares/_settings.html", "share-links"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        living = (
            ShareLink.objects.living().of([datasource.pk]).select_related("maker", "conversation__datasource")
        )
        links = list(living[:SHOWN])
        return {
            "sharers_form": SharersForm.of(datasource),
            "sharers": sharers_of(datasource),
            "share_links": links,
            "share_links_shown": SHOWN,
            "resting": resting(links),
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        sharers = sharers_of(datasource)
        return _("Nobody shares by link.") if sharers == Sharers.NOBODY else ""

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Share links"),
                self.anchor,
                help=_("Who may show answers to people without an account. Public"),
            )
        ]


@login_required
@posted_from(SECTION)
def share_rule(request: HtmxRequest, pk: int) -> HttpResponse:
    """The owner chooses who may share."""
    datasource = datasource_for(request, pk, Role.OWNER)

    def save(sharers: str) -> None:
        ShareRule.objects.update_or_create(datasource=datasource, defaults={"sharers": sharers})

    return save_fields(
        request,
        SharersForm.of(datasource, request.POST),
        save,
        page=lambda refused: section_page(request, datasource, "people", sharers_form=refused),
        back=SECTION(pk),
    )
