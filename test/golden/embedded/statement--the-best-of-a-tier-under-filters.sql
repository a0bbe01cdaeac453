SELECT d.record FROM search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid WHERE search_text MATCH ? AND 1 ORDER BY d.prominence DESC, d.id LIMIT ?
-- ["(((((exact : \"herald\") AND (exact : \"_fcountry.US\" OR exact : \"_fcountry.CA\")) NOT (exact : \"_ftype.tv\")) AND (exact : \"_fcategories.music\")) NOT (exact : \"_fcategories.kids\")) AND (exact : \"_fknown.email\")",30]
