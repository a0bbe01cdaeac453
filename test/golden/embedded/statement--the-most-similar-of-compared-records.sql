WITH best AS MATERIALIZED (
SELECT record, row_number() OVER () AS place FROM (
SELECT d.record FROM json_each(?) AS c CROSS JOIN documents AS d ON d.record = CAST(c.key AS INTEGER)
WHERE d.kind = ? AND d.id <> ?
ORDER BY c.value + 3 * (EXISTS (SELECT 1 FROM document_lists AS l WHERE l.field = 'categories' AND l.value = ? AND l.record = d.record)) + 2 * (d.country IS ?) + 2 * (d.country IS ? AND d.region IS ?) + 2 * (d.language IS ?) DESC, d.audience DESC NULLS LAST, d.id
LIMIT ?
)
)
SELECT r.body FROM best JOIN records AS r USING (record) ORDER BY best.place
-- ["{\"7\":4.5}","outlet","times","politics","GB","GB","england","en",60]
