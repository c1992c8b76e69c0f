"""The database tells the web servers whose right to read may have ended, whichever way it ended: a service, the
admin, a cascade, a command. `events.hub` listens.
"""

from django.db import migrations

# What is told is a hash, as a session's key is a secret: of "user:17", "session:<key>" or, for all who
# read with a token, "token:".
FUNCTION = """
CREATE FUNCTION tell_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(
    'svq_events',
    json_build_object('access', md5(TG_ARGV[0] || ':' || coalesce(to_jsonb(OLD) ->> TG_ARGV[1], '')))::text
  );
  RETURN NULL;
END
$$
"""
# Table, what happens to a row, on which condition, and the column that names the reader.
TRIGGERS = [
    ("datasources_membership", "UPDATE OR DELETE", "true", "user", "user_id"),
    ("datasources_datasource", "DELETE", "true", "user", "owner_id"),
    ("datasources_datasource", "UPDATE OF owner_id", "OLD.owner_id <> NEW.owner_id", "user", "owner_id"),
    ("accounts_user", "DELETE", "true", "user", "id"),
    (
        "accounts_user",
        "UPDATE",
        # Signing in alone ends no right.
        "to_jsonb(OLD) - 'last_login' <> to_jsonb(NEW) - 'last_login'",
        "user",
        "id",
    ),
    # What has run out is cleared away by the thousand, and nobody reads with it.
    ("django_session", "DELETE", "OLD.expire_date > now()", "session", "session_key"),
    ("token_blacklist_blacklistedtoken", "INSERT OR UPDATE", "true", "token", ""),
    ("accounts_apitoken", "DELETE", "true", "token", ""),
]


def trigger(number: int, table: str, act: str, condition: str, kind: str, column: str) -> migrations.RunSQL:
    name = f"access_changed_{number}"
    return migrations.RunSQL(
        f"CREATE TRIGGER {name} AFTER {act} ON {table} FOR EACH ROW WHEN ({condition}) "
        f"EXECUTE FUNCTION tell_access_changed('{kind}', '{column}')",
        f"DROP TRIGGER {name} ON {table}",
    )


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("datasources", "0001_initial"),
        ("sessions", "0001_initial"),
        ("token_blacklist", "0001_initial"),
    ]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION tell_access_changed"),
        *(trigger(number, *values) for number, values in enumerate(TRIGGERS, 1)),
    ]
