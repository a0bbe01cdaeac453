SELECT d.record FROM search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid WHERE search_text MATCH ? AND 1 AND d.country IN (?, ?) AND (d.type IS NULL OR d.type NOT IN (?)) AND d.record IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.record NOT IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.has_email
ORDER BY d.name_key = ? DESC, d.audience DESC NULLS LAST, length(d.name_key) ASC, d.id LIMIT ?
-- ["exact : \"herald\"","US","CA","tv","music","kids","herald",30]
