SELECT count(*) AS count FROM search_text WHERE search_text MATCH ?
-- ["((((exact : \"_fcountry.US\" OR exact : \"_fcountry.CA\") NOT (exact : \"_ftype.tv\")) AND (exact : \"_fcategories.music\")) NOT (exact : \"_fcategories.kids\")) AND (exact : \"_fknown.email\")"]
