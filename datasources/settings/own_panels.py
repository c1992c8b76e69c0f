"""The panels of what a datasource itself has: its name, its people, how it is read, its models, its end."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from datasources import services
from datasources.capacity import contents_of
from datasources.in_use.models import agent_in_use, everything_is_local
from datasources.model_choice import choices_for
from datasources.models import Datasource, MatterShare, Recognition, Role
from datasources.own_servers import may_connect, own_models
from datasources.settings.model_health import measured
from datasources.settings.panels import SettingsPanel
from datasources.templatetags.amounts import counted
from datasources.web.forms import DatasourceForm, GroupForm, JoinLinkForm, MemberForm
from localization.lists import listed
from localization.numbers import numeral
from providers.roles import ModelRole, endpoint
from settings_pages.search import Place, Setting

SECTION_OF_FIELD = {
    "name": "general",
    "description": "general",
    "recognition": "reading",
    "scan_reader": "reading",
    "scan_languages": "reading",
    "chunking": "reading",
    "chunk_size": "reading",
    "chunk_overlap": "reading",
    "expansion": "answers",
}

SCANS = {
    Recognition.OFF: gettext_lazy("Scans are not read. Passages of about {size} characters."),
    Recognition.NEEDED: gettext_lazy("Scans are read where needed. Passages of about {size} characters."),
    Recognition.ALWAYS: gettext_lazy("Every page is read as a picture. Passages of about {size} characters."),
}


SHOWN = 200  # invitations by a link, the newest


MORE_WORDS = {  # that people may type for a field
    "name": "title rename",
    "description": "about summary",
    "recognition": "scanner scanned image picture",
    "scan_reader": "ocr tesseract engine",
    "scan_languages": "ocr script alphabet",
    "chunking": "chunk splitting strategy",
    "chunk_size": "chunk length characters",
    "chunk_overlap": "chunk shared",
}


def fields_of(section: str) -> list[str]:
    return [name for name, its_section in SECTION_OF_FIELD.items() if its_section == section]


class NamePanel(SettingsPanel):
    section, template, anchor = "general", "datasources/settings/_name.html", "general"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"form": DatasourceForm(instance=datasource)}

    def state(self, datasource: Datasource, role: Role) -> str:
        described = datasource.description or _("Not described.")
        return f"{datasource.name}. {described}"

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return place.fields(DatasourceForm(instance=datasource), fields_of(self.section), MORE_WORDS)


class CapacityPanel(SettingsPanel):
    section, template, anchor = "general", "datasources/settings/_capacity.html", "capacity"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"contents": contents_of(datasource)}

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Capacity"), "capacity", help=_("How many documents and megabytes there may be. Limits")
            )
        ]


class PeoplePanel(SettingsPanel):
    section, template, anchor = "people", "datasources/settings/_people.html", "people"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {
            "member_form": MemberForm(),
            "join_link_form": JoinLinkForm(prefix="link"),
            "join_links": datasource.join_links.select_related("used_by", "made_by")[:SHOWN],
            "links_shown": SHOWN,
            "group_form": GroupForm(besides=datasource.group_shares.values("group")),
            "group_shares": datasource.group_shares.select_related("group").order_by("group__name"),
            "roles": Role,
            "invitations": datasource.invitations.order_by("email"),
            "matter_shares": MatterShare.objects.filter(matter=datasource.matter_id).select_related(
                "person", "group"
            ),
            "members": datasource.memberships.select_related("user").order_by("user__email"),
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        owner = _("{name} owns it.").format(name=datasource.owner.get_full_name())
        if role != Role.OWNER:
            yours = _("Your role is {role}.").format(role=role.shown)
            return f"{owner} {yours}"
        others, invited = datasource.memberships.count(), datasource.invitations.count()
        groups = datasource.group_shares.count()
        seen_by = [counted(others, "other")] * bool(others) + [counted(groups, "group")] * bool(groups)
        if datasource.matter_id:
            seen_by.append(_("the people of its matter"))
        if seen_by and invited:
            told = _("It is seen by {people}, {n} invited.")
        elif seen_by:
            told = _("It is seen by {people}.")
        elif invited:
            told = _("Nobody else sees it, {n} invited.")
        else:
            told = _("Nobody else sees it.")
        told = told.format(people=listed(seen_by), n=invited)
        return f"{owner} {told}"

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(_("People and their roles"), "people", help=_("Viewer, editor. Members, remove")),
            place.setting(_("Share with somebody"), "share", help=_("Invite by e-mail address")),
            place.setting(
                _("Share with a group"), "groups", help=_("Everybody whom an administrator has put into it")
            ),
            place.setting(
                _("Invite by a link"), "links", help=_("It lets in whoever has it, once. Withdraw one")
            ),
        ]


class ReadingPanel(SettingsPanel):
    """Fields that save themselves, and those of the splitting, which go together."""

    section, template, anchor = "reading", "datasources/settings/_reading.html", "reading"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {
            "form": DatasourceForm(instance=datasource),
            "may_connect": may_connect(),
            "document_count": datasource.documents.current().count(),
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        told = SCANS[Recognition(datasource.recognition)]
        return told.format(size=numeral(datasource.chunk_size))

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        form = DatasourceForm(instance=datasource)
        offered = [name for name in fields_of(self.section) if name != "scan_reader" or form.has_readers]
        return place.fields(form, offered, MORE_WORDS)


class ModelsPanel(SettingsPanel):
    section, template, anchor = "models", "datasources/settings/_models.html", "models"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {
            "models": measured(datasource),
            "model_choices": choices_for(datasource),
            "own_models": own_models(datasource),
            "may_connect": may_connect(),
            "is_local": everything_is_local(datasource),
            "language_model_is_set": endpoint(datasource, ModelRole.AGENT) is not None,
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        writer = agent_in_use(datasource)
        if not writer.name:
            return _("Quotes only: no language model is connected.")
        told = (
            _("Answers: {model}. Nothing leaves this network.")
            if everything_is_local(datasource)
            else _("Answers: {model}. Text leaves this network.")
        )
        return told.format(model=writer.name)

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        found = [
            place.setting(
                _("Models in use"), "models", help=_("Which model does which job, where it runs, its cost")
            )
        ]
        if choices_for(datasource):
            found.append(
                place.setting(_("Models of its own"), "choices", help=_("For answers, the graph, the judge"))
            )
        if may_connect():
            found.append(
                place.setting(
                    _("A server of its own"), "own-server", help=_("Connect a model by address and key")
                )
            )
        return found


class DeletePanel(SettingsPanel):
    section, template, anchor = "danger", "datasources/settings/_delete.html", "delete"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"loss": services.loss_of(datasource)}

    def state(self, datasource: Datasource, role: Role) -> str:
        return " ".join([_("Delete this datasource."), str(services.loss_of(datasource))])

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [place.setting(_("Delete this datasource"), "delete", help=_("Remove it with all its files"))]


OWN_PANELS = (
    NamePanel(),
    CapacityPanel(),
    PeoplePanel(),
    ReadingPanel(),
    ModelsPanel(),
    DeletePanel(),
)
