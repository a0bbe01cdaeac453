WITH page AS MATERIALIZED (
SELECT d.record, row_number() OVER () AS place FROM (
SELECT d.record FROM documents AS d WHERE 1 AND d.record NOT IN (SELECT rowid FROM search_text WHERE search_text MATCH ?) ORDER BY d.audience DESC NULLS LAST, d.name_key ASC, d.id LIMIT ? OFFSET ?
) AS d
)
SELECT r.body FROM page JOIN records AS r USING (record) ORDER BY page.place
-- ["(\"radio\")",10,20]
