-- Tags of documents: "site" and "Site" are one tag.

-- :name each_tag
CROSS JOIN LATERAL jsonb_array_elements_text(
    CASE jsonb_typeof(d.metadata -> 'tags')
        WHEN 'array' THEN d.metadata -> 'tags'
        WHEN 'string' THEN jsonb_build_array(d.metadata -> 'tags')
        ELSE '[]'
    END
) AS tag

-- :name tag_counts
SELECT mode() WITHIN GROUP (ORDER BY tag) AS spelling, count(DISTINCT d.id) AS documents
FROM datasources_document d
-- :include each_tag
WHERE d.datasource_id = ANY(%(datasources)s) AND d.status = 'ready' AND d.metadata <> '{}' AND tag <> ''
GROUP BY lower(tag)
ORDER BY documents DESC, lower(tag)
LIMIT %(limit)s

-- :name tag_spellings
SELECT tag, count(*) AS documents
FROM datasources_document d
-- :include each_tag
WHERE d.datasource_id = %(datasource)s AND d.id <> %(besides)s
  AND d.status <> ALL(%(gone)s) AND d.metadata <> '{}'
  AND lower(tag) = ANY(SELECT lower(given) FROM unnest(%(tags)s::text[]) AS given)
GROUP BY tag
ORDER BY documents DESC, tag
