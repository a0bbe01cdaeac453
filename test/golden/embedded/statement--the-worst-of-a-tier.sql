SELECT d.record FROM search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid WHERE search_text MATCH ? AND 1
ORDER BY d.name_key = ? ASC, d.audience ASC NULLS LAST, length(d.name_key) DESC, d.id LIMIT ?
-- ["exact : \"herald\"","herald",30]
