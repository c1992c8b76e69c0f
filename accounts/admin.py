"""Accounts in the admin. One that owns something is deactivated, not deleted: its files must not vanish."""

from typing import Any, cast

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts import addresses, standing, tokens
from accounts.contents import allow
from accounts.models import (
    AccountInvitation,
    ApiToken,
    AttemptCount,
    AuditEntry,
    AuditSeal,
    GroupMember,
    PeopleGroup,
    Usage,
    User,
)
from accounts.standing import is_last_administrator, require_another_administrator, require_not_own

# Nobody brings a token back that has ended.
admin.site.unregister([tokens.OutstandingToken, tokens.BlacklistedToken])


class LowerCaseEmail:
    """Sign-in ignores case, so two accounts may not differ in case only."""

    cleaned_data: dict[str, Any]

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class NewAccountForm(LowerCaseEmail, AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("email",)


class AccountForm(LowerCaseEmail, UserChangeForm):
    by: User  # who changes it: set by AccountAdmin.get_form

    def clean(self) -> dict[str, Any]:
        """Somebody has to be left who can open accounts."""
        given = super().clean() or {}
        if not given.get("is_active", True):
            require_not_own(self.instance, self.by)
        was = User.objects.filter(pk=self.instance.pk, is_superuser=True, is_active=True).exists()
        stays = given.get("is_superuser", was) and given.get("is_active", was)
        if was and not stays:
            require_another_administrator(self.instance)
        return given

    class Meta:
        model = User
        fields = "__all__"  # the admin's fieldsets choose


# Nobody else may give these, to themselves least of all.
GIVEN_BY_SUPERUSERS = ("is_staff", "is_superuser", "may_see_contents", "groups", "user_permissions")


@admin.register(User)
class AccountAdmin(UserAdmin):
    form = AccountForm
    add_form = NewAccountForm
    actions = ("confirm_address", "take_second_factor_away")
    list_display = (
        "email",
        "name",
        "has_confirmed",
        "is_active",
        "is_staff",
        "may_see_contents",
        "last_login",
        "date_joined",
    )
    list_filter = ("is_active", "is_staff", "is_superuser", "may_see_contents")
    search_fields = ("email", "name")
    ordering = ("email",)
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("Reading", {"fields": ("theme", "single_key_shortcuts", "show_answers_when_complete")}),
        ("Rights", {"fields": ("is_active", *GIVEN_BY_SUPERUSERS)}),
        ("Times", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "usable_password", "password1", "password2")}),)

    @admin.action(description="Confirm the address of the selected users", permissions=["change"])
    def confirm_address(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            addresses.confirm(user)
        self.message_user(
            request, f"{len(queryset)} confirmed. What is shared with these addresses counts now."
        )

    @admin.action(description="Take the second factor of the selected users away", permissions=["change"])
    def take_second_factor_away(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """For who has lost a phone. Their browsers are signed out."""
        people = [user for user in queryset if self.has_change_permission(request, user)]
        for user in people:
            standing.take_second_factor_away(user, by=cast("User", request.user))
        self.message_user(
            request,
            f"Taken away from {len(people)}. At the next sign-in the password is enough, or another one is"
            " set up.",
        )

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, *args, **kwargs)
        form.by = request.user
        return form

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        users: QuerySet[User] = addresses.confirmed(super().get_queryset(request))
        return users

    @admin.display(description="Confirmed", boolean=True)
    def has_confirmed(self, user: User) -> bool:
        return bool(user.has_confirmed)  # type: ignore[attr-defined]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        return fixed if is_superuser(request) else (*fixed, *GIVEN_BY_SUPERUSERS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever changes an account can sign in with it: a superuser's is changed by superusers alone."""
        above = obj is not None and obj.is_superuser and not is_superuser(request)
        return not above and super().has_change_permission(request, obj)

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if "is_active" in form.changed_data:
            obj.shut_by_directory = False  # a directory opens only what it has shut itself
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            addresses.confirm(obj)
        if not obj.is_active and "is_active" in form.changed_data:
            tokens.end_all_sign_ins(obj)
        if "may_see_contents" in form.changed_data:
            allow(obj, by=request.user, allowed=obj.may_see_contents)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:  # the list's "delete selected" could not ask each account
            return False
        owns = any(
            apps.get_model(model)._default_manager.filter(**{field: obj}).exists()
            for model, field in settings.ROWS_OF_PEOPLE.items()
        )
        above = obj.is_superuser and not is_superuser(request)
        needed = obj == request.user or (obj.is_superuser and is_last_administrator(obj))
        return not (owns or above or needed) and super().has_delete_permission(request, obj)


class LookedAtAdmin(admin.ModelAdmin):
    """Nobody changes anything here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class AuditAdmin(LookedAtAdmin):
    """All administrators can read it."""

    show_full_result_count = False


@admin.register(AuditEntry)
class AuditEntryAdmin(AuditAdmin):
    list_display = ("time", "email", "act", "subject", "number", "address")
    list_filter = ("act", "subject", "time")
    search_fields = ("email", "subject", "number", "address")


@admin.register(AuditSeal)
class AuditSealAdmin(AuditAdmin):
    list_display = ("time", "entries", "until", "digest", "emptied")
    list_filter = ("emptied", "time")
    search_fields = ("digest",)


@admin.register(PeopleGroup)
class PeopleGroupAdmin(LookedAtAdmin):
    """To be looked at: groups are made and changed under Settings, Groups, where it is noted."""

    list_display = ("name", "provider", "claim", "created")
    list_filter = ("provider",)
    search_fields = ("name",)


@admin.register(GroupMember)
class GroupMemberAdmin(LookedAtAdmin):
    list_display = ("person", "group", "provider", "created")
    list_filter = ("group", "provider")
    list_select_related = ("person", "group", "provider")
    search_fields = ("person__email",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Otherwise no account that is in a group could be deleted."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(AccountInvitation)
class AccountInvitationAdmin(LookedAtAdmin):
    """To be looked at: they are made and withdrawn under Settings, People."""

    list_display = ("email", "made_by", "created", "expires", "used", "used_by")
    list_filter = ("expires",)
    list_select_related = ("made_by", "used_by")
    search_fields = ("email",)
    fields = list_display


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Whose tokens there are, until when, and a way to end them. Their names are their people's own."""

    list_display = ("beginning", "user", "may", "reach", "created", "last_used", "expires")
    list_filter = ("expires", "last_used")
    search_fields = ("user__email",)
    list_select_related = ("user",)
    fields = list_display
    actions = ("revoke",)

    @admin.display(description="May")
    def may(self, token: ApiToken) -> str:
        return ", ".join(token.scopes)

    @admin.display(description="Datasources")
    def reach(self, token: ApiToken) -> str:
        return "all" if token.datasource_ids is None else str(len(token.datasource_ids))

    @admin.action(description="Revoke the selected tokens", permissions=["delete"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        count, _ = queryset.delete()
        self.message_user(request, f"{count} revoked. Programs that use them get nothing from now on.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Usage)
class UsageAdmin(admin.ModelAdmin):
    """What people added and asked, a minute a row: to be looked at."""

    list_display = ("person", "kind", "minute", "amount")
    list_filter = ("kind", "minute")
    list_select_related = ("person",)
    search_fields = ("person__email",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AttemptCount)
class AttemptCountAdmin(admin.ModelAdmin):
    """Attempts to sign in, by a hash of who tried: to be looked at, and deleted to let somebody try again."""

    list_display = ("key", "count", "ends")
    list_filter = ("ends",)
    search_fields = ("key",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def is_superuser(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))
