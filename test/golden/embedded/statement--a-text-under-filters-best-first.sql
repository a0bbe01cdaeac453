WITH page AS MATERIALIZED (
SELECT d.record, row_number() OVER () AS place FROM (
SELECT d.record FROM search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid WHERE search_text MATCH ? AND 1 AND d.country IN (?, ?) AND (d.type IS NULL OR d.type NOT IN (?)) AND d.record IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.record NOT IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.has_email ORDER BY CASE WHEN d.name_key = ? THEN 0 WHEN d.record IN (SELECT rowid FROM search_text WHERE search_text MATCH ?) THEN 1 ELSE 2 END ASC, bm25(search_text, 0, 12, 9, 6, 2, 3, 1) ASC, d.audience DESC NULLS LAST, d.id LIMIT ? OFFSET ?
) AS d
)
SELECT r.body, r.email, r.email_source FROM page JOIN records AS r USING (record) ORDER BY page.place
-- ["(exact : \"herald\" OR (\"herald\" *))","US","CA","tv","music","kids","herald","exact : \"herald\"",10,20]
