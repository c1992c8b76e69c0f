"""The home page, and the first page above it."""

from django.urls import path

from svq_site.dashboard.views import home
from svq_site.dashboard.welcome_views import close_first_page, open_first_page, take_sample

urlpatterns = [
    path("", home, name="home"),
    path("first-page/close/", close_first_page, name="close_first_page"),
    path("first-page/sample/", take_sample, name="take_sample"),
    path("first-page/open/", open_first_page, name="open_first_page"),
]
