SELECT d.record FROM documents AS d WHERE 1 ORDER BY d.audience DESC NULLS LAST, d.name_key ASC, d.id LIMIT ? OFFSET ?
-- [10,20]
