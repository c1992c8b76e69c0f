"""Addresses of a paper assistant, under /api/."""

from django.urls import path

from desks.research.api.asking_papers import AgentAction
from desks.research.api.topic_graphs import BuildGraph

urlpatterns = [
    path("build_graph", BuildGraph.as_view(), name="api-compatible-build-graph"),
    path("agent_action", AgentAction.as_view(), name="api-compatible-agent-action"),
]
