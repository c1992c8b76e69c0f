-- What searches can be filtered by.

-- :name tag_counts
SELECT tag, count(DISTINCT d.id) AS documents
FROM datasources_document d
CROSS JOIN LATERAL jsonb_array_elements_text(
    CASE jsonb_typeof(d.metadata -> 'tags')
        WHEN 'array' THEN d.metadata -> 'tags'
        WHEN 'string' THEN jsonb_build_array(d.metadata -> 'tags')
        ELSE '[]'
    END
) AS tag
WHERE d.datasource_id = ANY(%(datasources)s) AND d.status = 'ready' AND d.metadata <> '{}' AND tag <> ''
GROUP BY tag
ORDER BY documents DESC, tag
LIMIT %(limit)s
