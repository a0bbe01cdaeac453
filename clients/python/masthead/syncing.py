"""A copy that stays true."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from masthead_client.api.media import read_changes

from .connection import Connection
from .errors import MastheadError
from .exporting import open_export

MAX_CHANGES = 1_000
"""How many changes a request asks for: the most."""


class Copy(Protocol):
    """Where a copy is kept, such as a table and a row for the cursor."""

    def read_cursor(self) -> str | None:
        """The cursor that was saved last; None if there is none, or to begin anew."""

    def save_cursor(self, cursor: str) -> object: ...

    def upsert(self, record: dict[str, Any]) -> object:
        """Inserts a record, or puts it in place of the one with its id. It has all its contacts."""

    def remove(self, id: str, merged_into: str | None) -> object:
        """Deletes a record, if the copy has it. `merged_into` is the record that it was merged into, if it was."""

    def list_ids(self) -> Iterable[str]:
        """The ids of all records that the copy has."""
        ...


@dataclass
class SyncResult:
    is_whole: bool = False
    """Whether everything was read, not only what changed."""
    upserted: int = 0
    removed: int = 0


def sync(connection: Connection, copy: Copy, selection: dict[str, Any]) -> SyncResult:
    """Brings a copy up to date; see Masthead.sync."""
    result = SyncResult()
    cursor = copy.read_cursor()
    if cursor is not None:
        try:
            apply_changes(connection, copy, selection, cursor, result)
            return result
        except MastheadError as error:
            if error.code != "cursor_expired":
                raise
    cursor = copy_everything(connection, copy, selection, result)
    apply_changes(connection, copy, selection, cursor, result)
    result.is_whole = True
    return result


def copy_everything(connection: Connection, copy: Copy, selection: dict[str, Any], result: SyncResult) -> str:
    """Copies an export, removes what it does not have, and returns its cursor."""
    ids = set()
    with open_export(connection, format_="ndjson", **selection) as running:
        cursor = running.cursor
        if cursor is None:
            raise MastheadError("unexpected_answer", "The export has no X-Changes-Cursor. Try again later.")
        for record in running.rows():
            copy.upsert(record)
            ids.add(record["id"])
    result.upserted += len(ids)
    for gone in set(copy.list_ids()) - ids:
        copy.remove(gone, None)
        result.removed += 1
    copy.save_cursor(cursor)
    return cursor


def apply_changes(
    connection: Connection, copy: Copy, selection: dict[str, Any], cursor: str, result: SyncResult
) -> None:
    has_more = True
    while has_more:
        request = read_changes._get_kwargs(after=cursor, limit=MAX_CHANGES, **selection)
        page = connection.request(**request).json()
        for change in page["changes"]:
            if change["change"] == "upsert":
                copy.upsert(change["record"])
                result.upserted += 1
            else:
                copy.remove(change["id"], change.get("merged_into"))
                result.removed += 1
        # After the changes: if anything failed above, the next run applies them again.
        cursor, has_more = page["next"], page["has_more"]
        copy.save_cursor(cursor)
