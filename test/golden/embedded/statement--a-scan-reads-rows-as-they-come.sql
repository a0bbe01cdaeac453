SELECT r.body, r.email, r.email_source FROM search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid CROSS JOIN records AS r ON r.record = d.record
WHERE search_text MATCH ? AND 1 AND d.country IN (?, ?) AND (d.type IS NULL OR d.type NOT IN (?)) AND d.record IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.record NOT IN (SELECT record FROM document_lists WHERE field = 'categories' AND value IN (?)) AND d.has_email
-- ["(exact : \"herald\" OR (\"herald\" *))","US","CA","tv","music","kids"]
