"""Signing in and out (allauth's pages and those around them), your own settings, the theme."""

from django.urls import include, path
from django.views.i18n import set_language

from accounts.factors import views as second_factor
from accounts.web import administration, views
from accounts.web.invitations import account_invitation
from accounts.web.recovery_codes import RecoveryCodesPage

urlpatterns = [
    path("settings/", views.account_settings, name="account_settings"),
    path("settings/appearance/", views.account_appearance, name="account_appearance"),
    path("settings/limits/", views.account_limits, name="account_limits"),
    path("settings/save/", views.save_account_setting, name="save_account_setting"),
    path("theme/", views.theme, name="theme"),
    path("language/", set_language, name="set_language"),  # of this browser: for people without an account
    # An account has one address, which an administrator changes: allauth's page for several is not offered.
    path("account/email/", views.account_email, name="account_email"),
    path("account/login/", views.sign_in, name="account_login"),
    path("account/signup/", views.sign_up, name="account_signup"),
    path("account/password/reset/", views.reset_password, name="account_reset_password"),
    path("account/invitation/<str:token>/", account_invitation, name="account_invitation"),
    path("account/logout/", views.sign_out, name="account_logout"),
    path("account/second-factor/", second_factor.set_up, name="set_up_second_factor"),
    path("account/2fa/authenticate/", second_factor.ask, name="mfa_authenticate"),
    path(
        "account/2fa/recovery-codes/",
        RecoveryCodesPage.as_view(),
        name="mfa_view_recovery_codes",
    ),
    path("account/2fa/webauthn/login/", second_factor.passkey, name="mfa_login_webauthn"),
    path("account/2fa/totp/activate/", second_factor.add_app, name="mfa_activate_totp"),
    path("account/2fa/webauthn/add/", second_factor.add_passkey, name="mfa_add_webauthn"),
    path("account/2fa/webauthn/", second_factor.passkeys, name="mfa_list_webauthn"),
    path("settings/sign-in/", administration.sign_in_settings, name="sign_in_settings"),
    path("settings/sign-in/save/", administration.save_sign_in_setting, name="save_sign_in_setting"),
    path("", include("accounts.identity.web.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/2fa/", include("allauth.mfa.urls")),
]
