"""Which of the offered models an owner has chosen for a datasource, role by role."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from datasources.in_use.models import is_local
from datasources.models import Datasource
from providers.connections import services
from providers.connections.models import Connection
from providers.roles import ModelRole, of_environment

LABELS = {
    ModelRole.AGENT: gettext_lazy("Answers"),
    ModelRole.EXTRACTION: gettext_lazy("Graph"),
    ModelRole.JUDGE: gettext_lazy("Judge"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A role, and the models that may play it here; `chosen` is None where it is as everywhere else."""

    role: ModelRole
    label: str
    models: list[tuple[int, str]]
    chosen: int | None

    @property
    def name(self) -> str:
        """Of the chosen model."""
        return dict(self.models).get(self.chosen or 0, "")


def choices_for(datasource: Datasource) -> list[Choice]:
    """Empty where the environment names the models, or an administrator offers none. A role that a server of
    the datasource's own plays is not among them.
    """
    if of_environment(ModelRole.AGENT):
        return []
    roles = roles_of_choice(datasource)
    chosen = {role: each for role, each in services.chosen_for(datasource.pk).items() if role in roles}
    offered = list(services.offered())
    if not offered and not chosen:
        return []
    models = {each.pk: _model_and_place(each) for each in [*offered, *chosen.values()]}
    return [
        Choice(
            role=role,
            label=label,
            models=list(models.items()),
            chosen=chosen[role].pk if role in chosen else None,
        )
        for role, label in roles.items()
    ]


def roles_of_choice(datasource: Datasource) -> dict[ModelRole, str]:
    """Those for which there is a choice: no server of the datasource's own plays them."""
    chosen = services.chosen_for(datasource.pk)
    own = {role for role, each in chosen.items() if each.datasource == datasource.pk}
    return {role: str(label) for role, label in LABELS.items() if role not in own}


def _model_and_place(connection: Connection) -> str:
    if not (host := connection.host):
        return _("{model}, on this server").format(model=connection.model)
    told = (
        _("{model} at {host}, local") if is_local(host) else _("{model} at {host}, text leaves this network")
    )
    return told.format(model=connection.model, host=host)


@transaction.atomic
def choose(datasource: Datasource, chosen: Mapping[ModelRole, int | None]) -> None:
    """From the next question on; None: as everywhere else. Raises ValidationError."""
    allowed = {number for choice in choices_for(datasource) for number, _ in choice.models}
    if not allowed.issuperset(filter(None, chosen.values())):
        raise ValidationError(_("This model is not offered here. Nothing was changed."), code="model_unknown")
    for role, number in chosen.items():
        connection = Connection.objects.get(pk=number) if number else None
        services.assign(role, connection, datasource.pk)
