"""Searches that are read to their end."""

from collections.abc import Iterator
from typing import Any, cast

from masthead_client import AuthenticatedClient
from masthead_client.api.media import search
from masthead_client.models import Record, SearchPage

from .errors import MastheadError

MAX_ROW = 10_000
PER_PAGE = 100
"""The last record that a page can show, and the longest page."""


def search_page(api: AuthenticatedClient, **parameters: Any) -> SearchPage:
    """One page of a search; see Masthead.search."""
    # The connection raises what else the operation returns.
    return cast(SearchPage, search.sync(client=api, **parameters))


def search_all(api: AuthenticatedClient, has_key: bool, **parameters: Any) -> Iterator[Record]:
    """Every record of a search; see Masthead.search_all."""
    # Without a key there are no cursors, and none are needed by meaning.
    if has_key and parameters.get("match") != "meaning":
        after: object = ""
        while isinstance(after, str):
            page = search_page(api, after=after, per_page=PER_PAGE, **parameters)
            yield from page.results
            after = page.next_
        return
    for number in range(1, MAX_ROW // PER_PAGE + 1):
        page = search_page(api, page=number, per_page=PER_PAGE, **parameters)
        yield from page.results
        if number >= (page.total_pages or 0):
            return
    shown = f"The search has {page.total} records and shows the first {MAX_ROW} without a key."
    raise MastheadError("page_too_deep", f"{shown} Narrow it, or read all of them with a key.")
