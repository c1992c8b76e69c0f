-- What the database has, of the schema where SVQ's tables are.

-- :name columns
SELECT
    c.relname::text,
    a.attname::text,
    format_type(a.atttypid, a.atttypmod),
    NOT a.attnotnull,
    NOT a.attnotnull OR a.atthasdef OR a.attidentity <> ''
FROM pg_attribute AS a
INNER JOIN pg_class AS c ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace
  AND c.relkind IN ('r', 'p', 'v', 'm')
  AND a.attnum > 0
  AND NOT a.attisdropped

-- :name constraints
SELECT
    t.relname::text,
    c.conname::text,
    c.contype::text,
    ARRAY(
        SELECT a.attname::text
        FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
        INNER JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.number
        ORDER BY k.place
    ),
    coalesce(other.relname::text, '')
FROM pg_constraint AS c
INNER JOIN pg_class AS t ON c.conrelid = t.oid
LEFT JOIN pg_class AS other ON c.confrelid = other.oid
WHERE t.relnamespace = current_schema()::regnamespace

-- An index of expressions has no columns here.
-- :name indexes
SELECT
    t.relname::text,
    i.relname::text,
    x.indisunique AND x.indpred IS NULL,
    ARRAY(
        SELECT a.attname::text
        FROM unnest(x.indkey::smallint[]) WITH ORDINALITY AS k (number, place)
        INNER JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.number
        WHERE k.place <= x.indnkeyatts
        ORDER BY k.place
    )
FROM pg_index AS x
INNER JOIN pg_class AS t ON x.indrelid = t.oid
INNER JOIN pg_class AS i ON x.indexrelid = i.oid
WHERE t.relnamespace = current_schema()::regnamespace AND x.indisvalid

-- :name triggers
SELECT t.relname::text, g.tgname::text
FROM pg_trigger AS g
INNER JOIN pg_class AS t ON g.tgrelid = t.oid
WHERE t.relnamespace = current_schema()::regnamespace AND NOT g.tgisinternal AND g.tgenabled <> 'D'

-- :name functions
SELECT p.proname::text, p.prosrc
FROM pg_proc AS p
WHERE p.pronamespace = current_schema()::regnamespace
  AND NOT EXISTS (
      SELECT FROM pg_depend AS d
      WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
  )
