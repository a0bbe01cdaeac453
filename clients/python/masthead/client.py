"""The client."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from masthead_client import AuthenticatedClient
from masthead_client.models import Record, SearchPage

from . import exporting, searching, syncing
from .connection import Connection


class Masthead:
    """The API of one service, for the holder of one key. Every failure is a MastheadError.

    `base_url` is where the service is, such as https://masthead.example. `key` is the API key, or a function that gives it.
    Without a key, addresses are masked and nothing can be exported. A request is sent again at most `retries` times; if the
    service asks for a longer wait than `max_wait` seconds, the call fails. `timeout` is the longest silence, in seconds.
    `wait` waits so many seconds.
    """

    api: AuthenticatedClient
    """For every operation of `masthead_client.api`, with the same key, retries and errors; not for its asyncio functions."""

    def __init__(
        self,
        base_url: str,
        key: str | Callable[[], str] | None = None,
        *,
        retries: int = 4,
        max_wait: float = 120,
        timeout: float = 60,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._has_key = key is not None
        self._connection = Connection(base_url, key, retries=retries, max_wait=max_wait, timeout=timeout, wait=wait)
        # The connection adds the key, so printing the client does not show it.
        self.api = AuthenticatedClient(base_url=base_url, token="").set_httpx_client(self._connection)

    def search(self, **parameters: Any) -> SearchPage:
        """One page of a search, with the parameters of `masthead_client.api.media.search`."""
        return searching.search_page(self.api, **parameters)

    def search_all(self, **parameters: Any) -> Iterator[Record]:
        """Every record of a search, page by page, with the parameters of `masthead_client.api.media.search`.

        A record that does not change meanwhile comes once. Without a key, a search reaches its first 10,000 records: if there
        are more, the iteration ends with `page_too_deep`. At one moment of the data: `export_rows`.
        """
        return searching.search_all(self.api, self._has_key, **parameters)

    def export_rows(self, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Every row of an export as it arrives, with the parameters of `masthead_client.api.media.export`; needs Premium.

        Records, or with `rows="contacts"` contacts. Ends with `incomplete_export` if rows are missing.
        """
        with exporting.open_export(self._connection, format_="ndjson", **parameters) as running:
            yield from running.rows()

    def save_export(self, path: str | os.PathLike[str], **parameters: Any) -> int:
        """Writes an export to a file, csv unless `format_` says another format. Returns its number of rows.

        Replaces a file that is there only by a complete one; otherwise raises `incomplete_export`.
        """
        return exporting.save_export(self._connection, path, **parameters)

    def sync(
        self, copy: syncing.Copy, *, kind: Sequence[str], fields: Sequence[str] | None = None
    ) -> syncing.SyncResult:
        """Brings a copy up to date, which has all records of these kinds, whole or with these fields. Needs Premium.

        Reads everything at first, then only what has changed, and deletes what is gone. Saves the cursor after each step, so
        a run that failed can be repeated. Reads everything again if the cursor has expired. Records are as the API sends them.
        """
        selection: dict[str, Any] = {"kind": [kind] if isinstance(kind, str) else kind}
        if fields is not None:
            selection["fields"] = fields
        return syncing.sync(self._connection, copy, selection)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
