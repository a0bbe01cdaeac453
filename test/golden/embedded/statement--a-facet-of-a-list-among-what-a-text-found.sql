SELECT l.value AS value, count(*) AS count FROM temp.matched AS m CROSS JOIN documents AS d ON d.record = m.record JOIN document_lists AS l ON l.record = d.record AND l.field = 'categories'
WHERE l.value IS NOT NULL AND 1 AND d.country IN (?, ?) AND (d.type IS NULL OR d.type NOT IN (?)) AND d.has_email GROUP BY l.value ORDER BY count(*) DESC, l.value
-- ["US","CA","tv"]
