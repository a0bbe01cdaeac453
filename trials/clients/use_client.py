"""Uses the wheel as a program of its users does, and prints what it saw as JSON: `use_client.py TASK [ARGUMENT]`."""

import json
import os
import pickle
import sys
from pathlib import Path

from masthead import Masthead, MastheadError
from masthead_client import Client
from masthead_client.api.media import count_facets, find_record, find_similar, look_up_records, push_leads, search
from masthead_client.api.plans import list_plans, read_account, read_usage
from masthead_client.models import LookUpRecordsBody, Problem, PushLeadsBody
from masthead_client.types import UNSET

url = os.environ["MASTHEAD_URL"]
masthead = Masthead(url, os.environ["MASTHEAD_KEY"])


def call_everything() -> object:
    anyone = Masthead(url)
    record = masthead.search(kind=["outlet", "podcast"], country=["!US"], updated_since="2000-01-01", per_page=1).results[0]
    ids = [named.id for named in masthead.search_all(kind=["podcast"], fields=["name", "url"]) if named.country is UNSET]
    lookup = look_up_records.sync(client=masthead.api, body=LookUpRecordsBody(ids=[record.id, "nobody"], fields=["name"]))
    return {
        "record": find_record.sync(record.id, client=masthead.api).to_dict(),
        "masked": anyone.search(per_page=1).masked,
        "similar": len(find_similar.sync(record.id, client=masthead.api, per_page=5).results),
        "podcasts": [
            len(set(ids)),
            len({found.id for found in anyone.search_all(kind=["podcast"])}),
            len({row["id"] for row in masthead.export_rows(kind=["podcast"])} & set(ids)),
            count_facets.sync(client=anyone.api, kind=["podcast"]).total,
        ],
        "names": {result.asked: result.record and result.record.name for result in lookup.results},
        "returned": isinstance(search.sync(client=Client(base_url=url), kind=["outlett"]), Problem),
        "wrong": failure_of(lambda: anyone.search(kind=["outlett"], country=["Germny"])),
        "lost": failure_of(lambda: find_record.sync("nobody", client=anyone.api)),
        "refused": failure_of(lambda: read_account.sync(client=Masthead(url, "mh_unknown").api)),
        "plan": read_account.sync(client=masthead.api).plan,
        "plans": len(list_plans.sync(client=anyone.api).plans),
        "days": len(read_usage.sync(client=masthead.api).days),
    }


class Copy:
    """A copy in a file, which fails at one record if it is told to."""

    def __init__(self, path: Path, fails_at: str) -> None:
        self.path, self.fails_at, self.state = path, fails_at, json.loads(path.read_text())

    def read_cursor(self) -> str | None:
        return self.state["cursor"]

    def save_cursor(self, cursor: str) -> None:
        self.path.write_text(json.dumps({**self.state, "cursor": cursor}))

    def upsert(self, record: dict) -> None:
        if record["id"] == self.fails_at:
            raise OSError("the table is locked")
        self.state["records"][record["id"]] = record

    def remove(self, id: str, merged_into: str | None) -> None:
        self.state["records"].pop(id, None)

    def list_ids(self) -> list[str]:
        return list(self.state["records"])


def keep_copy(fails_at: str = "") -> object:
    return vars(masthead.sync(Copy(Path("copy.json"), fails_at), kind=["outlet"]))


def meet_faults(unsteady: str) -> object:
    """What comes of a service that answers 429, breaks a connection, answers 503, cuts exports, and refuses pushes."""
    waits: list[float] = []
    patient = Masthead(unsteady, lambda: os.environ["MASTHEAD_KEY"], wait=waits.append)
    push = PushLeadsBody.from_dict({"tool": "instantly", "api_key": "none", "campaign_id": "none"})
    return {
        "records": len(list(patient.search_all(kind=["podcast"]))),
        "cut": [
            failure_of(lambda: list(patient.export_rows(kind=["podcast"]))),
            *[failure_of(lambda: patient.save_export("kept", format_=name)) for name in ["csv", "ndjson", "xlsx"]],
        ],
        "refused": failure_of(lambda: push_leads.sync(client=patient.api, body=push)),
        "hurried": failure_of(lambda: Masthead(unsteady, max_wait=6, wait=waits.append).search()),
        "away": failure_of(lambda: Masthead("http://127.0.0.1:1", retries=1, wait=waits.append).search()),
        "waits": [wait if wait == 7 else 0.25 <= wait <= 1 for wait in waits],
        "leaked": os.environ["MASTHEAD_KEY"] in f"{masthead!r} {masthead.api!r}",
    }


def failure_of(call) -> object:
    """What a call fails with, as another process gets it."""
    try:
        return call()
    except MastheadError as raised:
        error = pickle.loads(pickle.dumps(raised))
        suggested = [f"{fault.name}={fault.did_you_mean}" for fault in error.errors]
        return [error.code, error.status, error.request_id is not None, error.retry_after, *suggested]


tasks = {"call": call_everything, "sync": keep_copy, "meet": meet_faults}
print(json.dumps(tasks[sys.argv[1]](*sys.argv[2:])))
