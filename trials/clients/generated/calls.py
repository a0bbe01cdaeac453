"""Five calls with the client that openapi-generator makes for Python, printed as JSON."""

import json
import os

import openapi_client
from openapi_client import LookUpRecordsRequest

configuration = openapi_client.Configuration(host=os.environ["MASTHEAD_URL"], access_token=os.environ["MASTHEAD_KEY"])
media = openapi_client.MediaApi(openapi_client.ApiClient(configuration))

page = media.search(kind=["podcast", "newsletter"], country=["US", "GB"], has_email=True)
first = page.results[0]
facets = media.count_facets(country=["US", "GB"])
looked = media.look_up_records(LookUpRecordsRequest(ids=[first.id, "nobody"]))
record = media.find_record(first.id)
try:
    lost = media.find_record("nobody")
except openapi_client.ApiException as error:
    lost = error.status

print(
    json.dumps(
        {
            "id": first.id,
            "found": page.total,
            "counted": facets.total,
            "looked": [one.record is not None for one in looked.results],
            "name": record.name,
            "lost": lost,
        }
    )
)
