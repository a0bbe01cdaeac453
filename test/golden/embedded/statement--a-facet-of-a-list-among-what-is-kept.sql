SELECT l.value AS value, count(*) AS count FROM temp.matched AS d JOIN document_lists AS l ON l.record = d.record AND l.field = 'categories'
WHERE l.value IS NOT NULL AND 1 GROUP BY l.value ORDER BY count(*) DESC, l.value
-- []
