"""The tab of a datasource's evaluation."""

from datasources.web.tabs import Place, Tab


class EvaluationTab(Tab):
    name, label, url, keys, icon = "evaluation", "Evaluation", "evaluation", "g e", "graduation-cap"
    place, help = Place.MORE, "Does it answer as you would?"
