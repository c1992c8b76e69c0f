"""Pages of share links: for whoever makes them, and for whoever was given one."""

from django.urls import path

from exchange.shares.web import public_views, views
from exchange.shares.web.settings_section import share_rule

urlpatterns = [
    path("account/share-links/", views.share_links, name="share_links"),
    path("account/share-links/<int:link>/end/", views.end_share_link, name="end_share_link"),
    path("d/<int:pk>/settings/share-links/", share_rule, name="share_rule"),
    path("turn/<uuid:turn>/share/", views.share_answer, name="share_answer"),
    path("d/<int:pk>/chat/<uuid:conversation>/share/", views.share_conversation, name="share_conversation"),
    path("s/<str:token>/", public_views.shared, name="shared"),
    path("s/<str:token>/<int:number>/<int:n>/<int:page>.webp", public_views.shared_crop, name="shared_crop"),
    path(
        "s/<str:token>/<int:number>/<int:n>/<int:page>/page.webp",
        public_views.shared_page,
        name="shared_page",
    ),
]
