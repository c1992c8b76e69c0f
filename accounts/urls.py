"""Signing in and out (allauth's pages), your own settings, the theme."""

from django.urls import include, path

from accounts import views

urlpatterns = [
    path("settings/", views.account_settings, name="account_settings"),
    path("settings/appearance/", views.account_appearance, name="account_appearance"),
    path("settings/limits/", views.account_limits, name="account_limits"),
    path("settings/save/", views.save_account_setting, name="save_account_setting"),
    path("theme/", views.theme, name="theme"),
    # An account has one address, which an administrator changes: allauth's page for several is not offered.
    path("account/email/", views.account_email, name="account_email"),
    path("account/login/", views.sign_in, name="account_login"),
    path("account/signup/", views.sign_up, name="account_signup"),
    path("account/password/reset/", views.reset_password, name="account_reset_password"),
    path("account/", include("allauth.urls")),
]
