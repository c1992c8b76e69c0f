"""The addresses of the audit log."""

from django.urls import path

from svq_site.audit import views

urlpatterns = [
    path("settings/audit/", views.audit_log, name="audit_log"),
    path("settings/audit/audit-log.csv", views.audit_csv, name="audit_csv"),
]
