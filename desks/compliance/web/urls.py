"""Pages of compliance."""

from django.urls import path

from desks.compliance.web import (
    check_views,
    framework_views,
    gap_views,
    ready_views,
    report_views,
    subject_views,
)

HERE = "d/<int:pk>/gaps/"
CHECK = f"{HERE}checks/<int:check>/"
ONE = f"{HERE}<int:assessment>/<int:requirement>/"
FRAMEWORK = "frameworks/<int:framework>/"

urlpatterns = [
    path(HERE, gap_views.gaps, name="gaps"),
    path(f"{HERE}state/", check_views.state, name="gap_state"),
    path(f"{HERE}shipped/", ready_views.check_shipped, name="gap_shipped"),
    path(f"{HERE}own/", ready_views.own_list, name="gap_own"),
    path(f"{HERE}check/", check_views.new_check, name="gap_check"),
    path(f"{CHECK}end/", check_views.end_check, name="gap_end"),
    path(f"{HERE}attach/", framework_views.attachments, name="gap_attach"),
    path(f"{HERE}cut/", framework_views.cut_document, name="gap_cut"),
    path(f"{HERE}vendors/", subject_views.subjects, name="gap_vendors"),
    path(f"{HERE}vendors/<int:subject>/", subject_views.subject, name="gap_vendor"),
    path(f"{HERE}compare/", report_views.comparison, name="gap_compare"),
    path(f"{HERE}<int:assessment>/report/<str:form>/", report_views.report, name="gap_report"),
    path(f"{HERE}<int:assessment>/delete/", check_views.remove_assessment, name="gap_delete"),
    path(ONE, gap_views.requirement, name="gap_requirement"),
    path(f"{ONE}review/", gap_views.review, name="gap_review"),
    path(f"{HERE}evidence/<int:evidence>/", gap_views.card, name="gap_card"),
    path(f"{HERE}evidence/<int:evidence>/<int:page>/", gap_views.crop, name="gap_crop"),
    path("frameworks/", framework_views.frameworks, name="frameworks"),
    path("frameworks/template.<str:form>", framework_views.template, name="framework_template"),
    path(FRAMEWORK, framework_views.framework, name="framework"),
    path(f"{FRAMEWORK}<int:requirement>/", framework_views.requirement, name="framework_requirement"),
]
