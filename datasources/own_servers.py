"""The model servers of one datasource, which its owner connects where administrators allow that."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from datasources.model_choice import LABELS
from datasources.models import Datasource, ScanReader
from datasources.scan_readers import is_available
from datasources.services import change_datasource
from providers.connections import services
from providers.connections.models import Connection
from providers.connections.services import Offer
from providers.roles import ModelRole, of_environment

ROLES = {**LABELS, ModelRole.OCR: _("Text recognition")}


def may_connect() -> bool:
    """Whether owners may, and something that they connect would be used."""
    return services.owners_may().connect and bool(open_roles())


def open_roles() -> dict[ModelRole, str]:
    """Those that the environment leaves open, each in words."""
    return {role: str(label) for role, label in ROLES.items() if of_environment(role) is None}


def own_models(datasource: Datasource) -> list[tuple[ModelRole, str, Connection]]:
    """The servers that its owner has connected: each with its role, as it is and in words."""
    chosen = services.chosen_for(datasource.pk)
    own = {role: each for role, each in chosen.items() if each.datasource == datasource.pk}
    return [(role, str(label), own[role]) for role, label in ROLES.items() if role in own]


def connect(datasource: Datasource, role: ModelRole, offer: Offer) -> str:
    """One that recognises text reads the scans from now on. Gives in words why it does not, else nothing."""
    services.connect(role, offer, datasource.pk)
    return _read_scans_by(datasource, ScanReader.SERVER) if role == ModelRole.OCR else ""


def disconnect(datasource: Datasource, role: ModelRole) -> str:
    """The models of everybody take its place; where no other server reads the scans, SVQ reads them itself.

    Gives in words why it does not, else nothing.
    """
    services.assign(role, None, datasource.pk)
    if is_available(datasource.scan_reader, datasource):
        return ""
    return _read_scans_by(datasource, ScanReader.SVQ)


def _read_scans_by(datasource: Datasource, reader: ScanReader) -> str:
    try:
        change_datasource(datasource, scan_reader=reader)
    except ValidationError as refused:
        return refused.messages[0]
    return ""
