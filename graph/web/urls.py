"""Pages of the graph: looking at it, putting it right."""

from django.urls import path

from graph.web import curation_forms as forms
from graph.web import curation_views, relation_views, views

ONE = "d/<int:pk>/graph/entities/<int:entity>/"
CHANGES = (
    forms.MergeForm,
    forms.AliasForm,
    forms.SplitForm,
    forms.RenameForm,
    forms.RetypeForm,
    forms.HideForm,
)

urlpatterns = [
    path("d/<int:pk>/graph/", views.graph, name="graph"),
    path("d/<int:pk>/graph/data.json", views.data, name="graph_data"),
    path("d/<int:pk>/entities/", views.entities, name="entities"),
    path("d/<int:pk>/entities/<int:entity>/", views.entity, name="entity"),
    path("d/<int:pk>/relations/<int:relation>/", views.relation, name="relation"),
    path("d/<int:pk>/graph/review/", curation_views.queue, name="graph_review"),
    path("d/<int:pk>/graph/relations/", relation_views.relations, name="graph_relations"),
    path("d/<int:pk>/graph/decisions/", curation_views.all_decisions, name="graph_decisions"),
    path("d/<int:pk>/graph/decisions/<int:decision>/undo/", curation_views.undo, name="graph_decision_undo"),
    *(
        path(f"{ONE}{form.kind}/", curation_views.change, {"form_class": form}, name=f"entity_{form.kind}")
        for form in CHANGES
    ),
]
