SELECT d.country AS value, count(*) AS count FROM search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid
WHERE d.country IS NOT NULL AND search_text MATCH ? AND 1 GROUP BY d.country ORDER BY count(*) DESC, d.country
-- ["((((((exact : \"herald\" OR (\"herald\" *))) AND (exact : \"_fcountry.US\" OR exact : \"_fcountry.CA\")) NOT (exact : \"_ftype.tv\")) AND (exact : \"_fcategories.music\")) NOT (exact : \"_fcategories.kids\")) AND (exact : \"_fknown.email\")"]
