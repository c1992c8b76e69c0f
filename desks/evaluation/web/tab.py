"""The tab of a datasource's evaluation."""

from django.utils.translation import gettext_lazy as _

from datasources.web.tabs import Place, Tab


class EvaluationTab(Tab):
    name, label, url, keys, icon = (
        "evaluation",
        _("Evaluation"),
        "evaluation",
        "g e",
        "graduation-cap",
    )
    place, help = Place.MORE, _("Does it answer as you would?")
