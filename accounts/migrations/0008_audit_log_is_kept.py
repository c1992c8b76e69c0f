import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# As in 0004, but for two things: an entry without a seal does not go, and no table is emptied at once.
STAYS = """
CREATE OR REPLACE FUNCTION accounts_audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        NULL;
    ELSIF TG_OP = 'DELETE' THEN
        IF TG_TABLE_NAME = 'accounts_auditentry' AND current_setting('svq.forgets_audit_entries', true) = 'on' THEN
            IF OLD.seal_id IS NOT NULL THEN
                RETURN OLD;
            END IF;
        END IF;
    ELSIF TG_TABLE_NAME = 'accounts_auditseal' THEN
        IF to_jsonb(NEW) - 'emptied' = to_jsonb(OLD) - 'emptied' AND NOT OLD.emptied THEN
            RETURN NEW;
        END IF;
    ELSIF to_jsonb(NEW) - 'seal_id' - 'person_id' = to_jsonb(OLD) - 'seal_id' - 'person_id'
        AND (OLD.seal_id IS NULL OR NEW.seal_id = OLD.seal_id)
        AND (NEW.person_id IS NULL OR NEW.person_id = OLD.person_id) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log is never changed';
END $$;
"""
TRIGGERS = [
    statement
    for table in ("auditentry", "auditseal")
    for statement in (
        f"DROP TRIGGER IF EXISTS {table}_is_kept ON accounts_{table}",
        f"CREATE TRIGGER {table}_is_kept BEFORE TRUNCATE ON accounts_{table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION accounts_audit_stays()",
    )
]


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_groups"),
    ]

    operations = [
        migrations.AlterField(
            model_name="auditseal",
            name="digest",
            field=models.CharField(help_text="SHA-256 over all this and the entries.", max_length=64),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="email",
            field=models.EmailField(
                blank=True, help_text="The person's, at that time; empty: SVQ itself.", max_length=254
            ),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="person",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunSQL([STAYS, *TRIGGERS], migrations.RunSQL.noop),
    ]
