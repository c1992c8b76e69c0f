"""The database tells the web servers also whose right may have ended because of a matter: their role in it ended or
is another one, or a datasource was taken out of it.
"""

from django.db import migrations

OF_ROLES = """
CREATE FUNCTION tell_matter_role_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('svq_events', json_build_object('access', md5('user:' || id))::text)
  FROM accounts_user WHERE id = OLD.person_id OR email = nullif(OLD.email, '')
    OR id IN (SELECT person_id FROM accounts_groupmember WHERE group_id = OLD.group_id);
  RETURN NULL;
END
$$
"""
OF_DATASOURCES = """
CREATE FUNCTION tell_matter_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('svq_events', json_build_object('access', md5('user:' || one.id))::text)
  FROM accounts_user one
  WHERE EXISTS (
    SELECT FROM datasources_mattershare share
    WHERE share.matter_id = OLD.matter_id AND (
      share.person_id = one.id OR share.email = one.email
      OR share.group_id IN (SELECT group_id FROM accounts_groupmember WHERE person_id = one.id)
    )
  );
  RETURN NULL;
END
$$
"""
SHARED = """
CREATE TRIGGER access_changed_11 AFTER UPDATE OR DELETE ON datasources_mattershare FOR EACH ROW
EXECUTE FUNCTION tell_matter_role_changed()
"""
LEFT = """
CREATE TRIGGER access_changed_12 AFTER UPDATE OF matter_id ON datasources_datasource FOR EACH ROW
WHEN (OLD.matter_id IS NOT NULL AND OLD.matter_id IS DISTINCT FROM NEW.matter_id)
EXECUTE FUNCTION tell_matter_left()
"""


class Migration(migrations.Migration):
    dependencies = [
        ("svq_site", "0003_group_access"),
        ("datasources", "0006_matters"),
    ]

    operations = [
        migrations.RunSQL(OF_ROLES, "DROP FUNCTION tell_matter_role_changed"),
        migrations.RunSQL(OF_DATASOURCES, "DROP FUNCTION tell_matter_left"),
        migrations.RunSQL(SHARED, "DROP TRIGGER access_changed_11 ON datasources_mattershare"),
        migrations.RunSQL(LEFT, "DROP TRIGGER access_changed_12 ON datasources_datasource"),
    ]
