SELECT d.record FROM documents AS d WHERE 1 AND d.record NOT IN (SELECT rowid FROM search_text WHERE search_text MATCH ?) ORDER BY d.audience DESC NULLS LAST, d.name_key ASC, d.id LIMIT ? OFFSET ?
-- ["(\"radio\")",10,20]
