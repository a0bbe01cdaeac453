SELECT r.body, r.email, r.email_source FROM json_each(?) AS p CROSS JOIN records AS r ON r.record = p.value ORDER BY p.key
-- ["[3,1,2]"]
