SELECT d.country AS value, count(*) AS count FROM documents AS d
WHERE d.country IS NOT NULL AND 1 AND d.country IN (?, ?) AND (d.type IS NULL OR d.type NOT IN (?)) AND d.record IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.record NOT IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.has_email GROUP BY d.country ORDER BY count(*) DESC, d.country
-- ["US","CA","tv","music","kids"]
