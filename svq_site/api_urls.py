"""The addresses of the REST interface, under /api/v1/."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from accounts import api as accounts
from datasources.api import views as datasources
from datasources.api.group_shares import GroupShares, OneGroupShare
from datasources.api.join_links import JoinLinks, OneJoinLink
from datasources.api.model_choice import ModelRoles
from desks.present import urls_of
from graph.api import document_map as similarity
from graph.api import entities as graph
from graph.api import exchange as exchange
from graph.api import extraction as extraction
from ingestion.api import adding, deletions
from ingestion.api import views as ingestion
from svq_site.api_docs import ApiDocs
from svq_site.usage.api import DatasourceBudget, DeploymentBudget, UsageReport

urlpatterns = [
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs", ApiDocs.as_view(), name="api-docs"),
    path("usage", UsageReport.as_view(), name="api-usage"),
    path("usage/budget", DeploymentBudget.as_view(), name="api-budget"),
    path("data-sources/<int:pk>/budget", DatasourceBudget.as_view(), name="api-datasource-budget"),
    path("data-sources/<int:pk>/models/roles", ModelRoles.as_view(), name="api-model-roles"),
    path("auth/login", accounts.Login.as_view(), name="api-login"),
    path("auth/refresh", accounts.Refresh.as_view(), name="api-refresh"),
    path("auth/logout", accounts.Logout.as_view(), name="api-logout"),
    path("data-sources", datasources.Datasources.as_view(), name="api-datasources"),
    path("data-sources/<int:pk>", ingestion.DatasourceWithDeletion.as_view(), name="api-datasource"),
    path("data-sources/<int:pk>/loss", datasources.DatasourceLoss.as_view(), name="api-loss"),
    path("data-sources/<int:pk>/members", datasources.Members.as_view(), name="api-members"),
    path("data-sources/<int:pk>/members/<int:user>", datasources.Member.as_view(), name="api-member"),
    path(
        "data-sources/<int:pk>/invitations/<int:invitation>",
        datasources.Invited.as_view(),
        name="api-invitation",
    ),
    path("data-sources/<int:pk>/groups", GroupShares.as_view(), name="api-group-shares"),
    path("data-sources/<int:pk>/groups/<int:group>", OneGroupShare.as_view(), name="api-group-share"),
    path("data-sources/<int:pk>/join-links", JoinLinks.as_view(), name="api-join-links"),
    path("data-sources/<int:pk>/join-links/<int:link>", OneJoinLink.as_view(), name="api-join-link"),
    path("data-sources/<int:pk>/documents", ingestion.Documents.as_view(), name="api-documents"),
    path("data-sources/<int:pk>/documents/text", adding.PastedText.as_view(), name="api-documents-text"),
    path("data-sources/<int:pk>/documents/web-page", adding.WebPage.as_view(), name="api-documents-web-page"),
    path(
        "data-sources/<int:pk>/documents/delete",
        deletions.DocumentsDelete.as_view(),
        name="api-documents-delete",
    ),
    path(
        "data-sources/<int:pk>/documents/restore",
        deletions.DocumentsRestore.as_view(),
        name="api-documents-restore",
    ),
    path("deletions", deletions.Deletions.as_view(), name="api-deletions"),
    path("deletions/<uuid:pk>", deletions.DeletionDetail.as_view(), name="api-deletion"),
    path("data-sources/<int:pk>/entities", graph.Entities.as_view(), name="api-entities"),
    path("data-sources/<int:pk>/relations", graph.Relations.as_view(), name="api-relations"),
    path("data-sources/<int:pk>/decisions", graph.Decisions.as_view(), name="api-decisions"),
    path("data-sources/<int:pk>/candidates", graph.Candidates.as_view(), name="api-candidates"),
    path("data-sources/<int:pk>/graph/import", exchange.GraphImport.as_view(), name="api-graph-import"),
    path(
        "data-sources/<int:pk>/graph/export/<str:form>",
        exchange.GraphExport.as_view(),
        name="api-graph-export",
    ),
    path("data-sources/<int:pk>/document-map", similarity.DocumentMap.as_view(), name="api-document-map"),
    path("data-sources/<int:pk>/extraction", extraction.Extraction.as_view(), name="api-extraction"),
    path(
        "data-sources/<int:pk>/extraction/estimate",
        extraction.ExtractionEstimate.as_view(),
        name="api-extraction-estimate",
    ),
    path(
        "data-sources/<int:pk>/extraction/failed", extraction.FailedChunks.as_view(), name="api-failed-chunks"
    ),
    path(
        "data-sources/<int:pk>/extraction/retry",
        extraction.ExtractionRetry.as_view(),
        name="api-extraction-retry",
    ),
    path("entities/<int:pk>", graph.EntityDetail.as_view(), name="api-entity"),
    path("entities/<int:pk>/mentions", graph.EntityMentions.as_view(), name="api-entity-mentions"),
    path("relations/<int:pk>", graph.RelationDetail.as_view(), name="api-relation"),
    path("relations/<int:pk>/evidence", graph.RelationEvidence.as_view(), name="api-relation-evidence"),
    path("decisions/<int:pk>", graph.DecisionDetail.as_view(), name="api-decision"),
    path("candidates/<int:pk>", graph.CandidateDetail.as_view(), name="api-candidate"),
    path("documents/<int:pk>", ingestion.DocumentDetail.as_view(), name="api-document"),
    path("documents/<int:pk>/replace", ingestion.DocumentReplace.as_view(), name="api-document-replace"),
    path(
        "documents/<int:pk>/recognise", ingestion.DocumentRecognise.as_view(), name="api-document-recognise"
    ),
    path("documents/<int:pk>/retry", ingestion.DocumentRetry.as_view(), name="api-document-retry"),
    path("documents/<int:pk>/cancel", ingestion.DocumentCancel.as_view(), name="api-document-cancel"),
    path("documents/<int:pk>/pages", ingestion.Pages.as_view(), name="api-pages"),
    path("documents/<int:pk>/pages/<int:page>", ingestion.PageDetail.as_view(), name="api-page"),
    path("documents/<int:pk>/annotations", ingestion.Annotations.as_view(), name="api-annotations"),
    path("documents/<int:pk>/doubts", ingestion.Doubts.as_view(), name="api-doubts"),
    path("documents/<int:pk>/chunks", ingestion.Chunks.as_view(), name="api-chunks"),
    path("chunks/<int:pk>", ingestion.ChunkDetail.as_view(), name="api-chunk"),
    path("", include("svq_site.matters.api_urls")),
    path("", include("svq_site.people.api_urls")),
    path("", include("retrieval.api.urls")),
    path("", include("reader.api.urls")),
    *urls_of("evaluation", "api.urls"),
    *urls_of("tables", "api.urls"),
    path("", include("digest.api.urls")),
    path("", include("exchange.packs.api.urls")),
    path("", include("exchange.shares.api.urls")),
    path("", include("memos.api.urls")),
    path("", include("exchange.bundles.api.urls")),
    path("", include("exchange.connectors.api.urls")),
    path("", include("exchange.webhooks.api.urls")),
    path("", include("exchange.outside_tools.api.urls")),
    *urls_of("research", "api.urls"),
    *urls_of("compliance", "api.urls"),
    path("", include("chat.api.urls")),
]
