"""In whose lane the jobs about a datasource wait."""

from datasources.models import Datasource
from jobs.lanes import Lane


def lane_of(datasource_id: int, person_id: int | None = None) -> Lane:
    """The lane of that person, or else of the datasource's owner; nobody's when it is gone."""
    if person_id is None:
        owners = Datasource.objects.filter(pk=datasource_id).values_list("owner_id", flat=True)
        person_id = owners.first() or 0
    return Lane(person=person_id, datasource=datasource_id)
