"""Addresses of the REST interface of compliance."""

from django.urls import path

from desks.compliance.api import views

DATASOURCE = "data-sources/<int:pk>/"

urlpatterns = [
    path("frameworks", views.Frameworks.as_view(), name="api-frameworks"),
    path("frameworks/<int:pk>", views.FrameworkDetail.as_view(), name="api-framework"),
    path("frameworks/<int:pk>/requirements", views.Requirements.as_view(), name="api-requirements"),
    path(
        "frameworks/<int:pk>/requirements/<int:requirement>",
        views.RequirementDetail.as_view(),
        name="api-requirement",
    ),
    path(f"{DATASOURCE}frameworks", views.Attachments.as_view(), name="api-attachments"),
    path(f"{DATASOURCE}frameworks/<int:framework>", views.AttachmentDetail.as_view(), name="api-attachment"),
    path(f"{DATASOURCE}vendors", views.Subjects.as_view(), name="api-vendors"),
    path("vendors/<int:pk>", views.SubjectDetail.as_view(), name="api-vendor"),
    path(f"{DATASOURCE}assessments", views.Assessments.as_view(), name="api-assessments"),
    path("assessments/<int:pk>", views.AssessmentDetail.as_view(), name="api-assessment"),
    path("assessments/<int:pk>/findings", views.Findings.as_view(), name="api-findings"),
    path("assessments/<int:pk>/reviews", views.Reviews.as_view(), name="api-reviews"),
    path(
        "assessments/<int:pk>/report/<str:form>",
        views.AssessmentReport.as_view(),
        name="api-assessment-report",
    ),
    path("assessment-checks/<int:pk>/stop", views.CheckStop.as_view(), name="api-check-stop"),
]
