WITH page AS MATERIALIZED (
SELECT d.record, row_number() OVER () AS place FROM (
SELECT d.record FROM documents AS d WHERE 1 ORDER BY d.audience ASC NULLS LAST, d.id LIMIT ? OFFSET ?
) AS d
)
SELECT r.body, r.email, r.email_source FROM page JOIN records AS r USING (record) ORDER BY page.place
-- [10,20]
