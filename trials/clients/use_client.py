"""Uses the generated client as a program of its users does, and prints what it saw as JSON."""

import json
import os
from datetime import date

from masthead_client import AuthenticatedClient, Client
from masthead_client.api.media import count_facets, export, find_record, find_similar, look_up_records, search
from masthead_client.api.plans import list_plans, read_account, read_usage
from masthead_client.models import LookUpRecordsBody, Problem, SearchPage
from masthead_client.types import UNSET

url = os.environ["MASTHEAD_URL"]
client = AuthenticatedClient(base_url=url, token=os.environ["MASTHEAD_KEY"])
anyone = Client(base_url=url)

first = search.sync(client=client, kind=["outlet", "podcast"], country=["!US"], updated_since=date(2000, 1, 1), per_page=1)
assert isinstance(first, SearchPage), first
record = first.results[0]

# Pages until the end.
ids, page, pages = [], 0, 1
while page < pages:
    page += 1
    answer = search.sync(client=client, kind=["podcast"], fields=["name", "url"], page=page, per_page=100)
    assert isinstance(answer, SearchPage), answer
    assert answer.results[0].country is UNSET
    ids += [result.id for result in answer.results]
    pages = answer.total_pages

lookup = look_up_records.sync(client=client, body=LookUpRecordsBody(ids=[record.id, "nobody"], fields=["name"]))
facets = count_facets.sync(client=anyone, kind=["podcast"])
rows = export.sync(client=client, kind=["podcast"], format_="ndjson").splitlines()
wrong = search.sync(client=anyone, kind=["outlett"], country=["Germny"])
assert isinstance(wrong, Problem), wrong
lost = find_record.sync_detailed("nobody", client=anyone)
refused = read_account.sync_detailed(client=AuthenticatedClient(base_url=url, token="mh_unknown"))

print(
    json.dumps(
        {
            "record": find_record.sync(record.id, client=client).to_dict(),
            "masked": search.sync(client=anyone, per_page=1).masked,
            "similar": len(find_similar.sync(record.id, client=anyone, per_page=5).results),
            "paged": len(set(ids)),
            "counted": facets.total,
            "exported": len({json.loads(row)["id"] for row in rows} & set(ids)),
            "asked": [[result.asked, result.record and result.record.name] for result in lookup.results],
            "wrong": [[error.name, error.did_you_mean] for error in wrong.errors],
            "lost": [lost.status_code, lost.parsed.code, lost.headers["X-Request-Id"] == lost.parsed.request_id],
            "refused": [refused.status_code, refused.parsed.code],
            "plan": read_account.sync(client=client).plan,
            "plans": [plan.tier for plan in list_plans.sync(client=anyone).plans],
            "days": len(read_usage.sync(client=client).days),
        }
    )
)
