"""The database tells the web servers also whose right may have ended because of a group: somebody left it, or a
datasource is shared with it no longer, or with another role.
"""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION tell_group_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('svq_events', json_build_object('access', md5('user:' || person_id))::text)
  FROM accounts_groupmember WHERE group_id = OLD.group_id;
  RETURN NULL;
END
$$
"""
# Deleting a group deletes its members too, whichever comes first.
LEFT = """
CREATE TRIGGER access_changed_9 AFTER UPDATE OR DELETE ON accounts_groupmember FOR EACH ROW
EXECUTE FUNCTION tell_access_changed('user', 'person_id')
"""
SHARED = """
CREATE TRIGGER access_changed_10 AFTER UPDATE OR DELETE ON datasources_groupshare FOR EACH ROW
EXECUTE FUNCTION tell_group_access_changed()
"""


class Migration(migrations.Migration):
    dependencies = [
        ("svq_site", "0002_welcome"),
        ("accounts", "0007_groups"),
        ("datasources", "0005_groups"),
    ]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION tell_group_access_changed"),
        migrations.RunSQL(LEFT, "DROP TRIGGER access_changed_9 ON accounts_groupmember"),
        migrations.RunSQL(SHARED, "DROP TRIGGER access_changed_10 ON datasources_groupshare"),
    ]
