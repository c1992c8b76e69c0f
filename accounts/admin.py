"""Accounts in the admin. One that owns something is deactivated, not deleted: its files must not vanish."""

from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.http import HttpRequest

from accounts import tokens
from accounts.models import User

# Nobody brings a token back that has ended.
admin.site.unregister([tokens.OutstandingToken, tokens.BlacklistedToken])


class LowerCaseEmail:
    """Sign-in does not mind capitals, so no two accounts may differ by them alone."""

    cleaned_data: dict[str, Any]

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class NewAccountForm(LowerCaseEmail, AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("email",)


class AccountForm(LowerCaseEmail, UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"  # the admin's fieldsets choose


@admin.register(User)
class AccountAdmin(UserAdmin):
    form = AccountForm
    add_form = NewAccountForm
    list_display = ("email", "name", "is_active", "is_staff", "last_login", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name")
    ordering = ("email",)
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("Reading", {"fields": ("theme", "single_key_shortcuts", "show_answers_when_complete")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Times", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "usable_password", "password1", "password2")}),)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not obj.is_active and "is_active" in form.changed_data:
            tokens.end_all_sign_ins(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:  # the list's "delete selected" could not ask each account
            return False
        owns = any(
            apps.get_model(model)._default_manager.filter(**{field: obj}).exists()
            for model, field in settings.ROWS_OF_PEOPLE.items()
        )
        return not owns and super().has_delete_permission(request, obj)
