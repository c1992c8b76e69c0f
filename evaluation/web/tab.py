"""The tab of a datasource's evaluation, once there is a document to ask about."""

from datasources.models import Datasource
from datasources.tabs import Tab


class EvaluationTab(Tab):
    name, label, url, keys, icon = "evaluation", "Evaluation", "evaluation", "g e", "scale"

    def shown(self, datasource: Datasource) -> bool:
        return datasource.documents.ready().exists() or datasource.question_sets.exists()
