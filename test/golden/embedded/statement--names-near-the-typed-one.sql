SELECT d.record FROM (
SELECT d.record FROM search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid WHERE search_text MATCH ? AND 1
ORDER BY d.name_key = ? DESC, d.audience DESC NULLS LAST, length(d.name_key) ASC, d.id LIMIT ?) AS b CROSS JOIN documents AS d ON d.record = b.record CROSS JOIN records AS r ON r.record = b.record
ORDER BY name_edits(?, d.name_key, r.body) ASC, d.audience DESC NULLS LAST, length(d.name_key) ASC, d.id
-- ["exact : \"herald\"","herald",30,"herald"]
