"""Exports that are proven complete."""

import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from masthead_client.api.media import export

from .connection import Connection
from .errors import MastheadError


class RunningExport:
    """An export while it comes. The service reads on only as fast as its bytes are read."""

    def __init__(self, answer: httpx.Response) -> None:
        count = answer.headers.get("X-Total-Count", "")
        if not count.isdecimal():
            detail = "The export has no X-Total-Count, so nothing could prove it whole. Does a proxy remove headers?"
            raise MastheadError("unexpected_answer", detail, answer=answer)
        self._answer = answer
        self.total = int(count)
        """The number of rows, known before they come."""
        self.cursor: str | None = answer.headers.get("X-Changes-Cursor")
        """The moment of the export, from which changes can be followed; None while the service cannot say."""

    def chunks(self) -> Iterator[bytes]:
        """Its bytes, unpacked. Raises `incomplete_export` if the connection breaks."""
        try:
            yield from self._answer.iter_bytes()
        except (httpx.TransportError, httpx.DecodingError) as cause:
            raise self.fault("the connection broke") from cause

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of ndjson. Raises `incomplete_export` at the end if rows are missing."""
        count, rest = 0, b""
        for chunk in self.chunks():
            # Not splitlines(), which also splits at characters that texts can have.
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line)
            count += len(lines)
        self.check(count if rest == b"" else None)

    def check(self, count: int | None) -> None:
        """Raises `incomplete_export` unless this is the number of rows. None: the file ends within a row."""
        if count is None:
            raise self.fault("it ends within a row")
        if count != self.total:
            found = f"it has {count} of {self.total} rows. It was cut off, or records were suppressed meanwhile"
            raise self.fault(found)

    def fault(self, found: str) -> MastheadError:
        detail = f"The export is not whole: {found}. Export again."
        return MastheadError("incomplete_export", detail, answer=self._answer)


@contextmanager
def open_export(connection: Connection, **parameters: Any) -> Iterator[RunningExport]:
    """Starts an export, with the parameters of `masthead_client.api.media.export`."""
    with connection.stream(**export._get_kwargs(**parameters)) as answer:
        yield RunningExport(answer)


def save_export(connection: Connection, path: str | os.PathLike[str], **parameters: Any) -> int:
    """Writes an export to a file; see Masthead.save_export."""
    part = Path(f"{os.fspath(path)}.part")
    try:
        with open_export(connection, **parameters) as running:
            with part.open("wb") as file:
                file.writelines(running.chunks())
            if parameters.get("format_") != "xlsx":
                running.check(count_rows(part, is_csv=parameters.get("format_") != "ndjson"))
            elif not zipfile.is_zipfile(part):
                raise running.fault("the end of the workbook is missing")
        part.replace(path)
        return running.total
    finally:
        part.unlink(missing_ok=True)


def count_rows(path: Path, *, is_csv: bool) -> int | None:
    """Rows of a file of csv, without its heading, or of ndjson; None if it ends within a row."""
    count, is_in_cell, line = 0, False, b"\n"
    with path.open("rb") as lines:
        for line in lines:
            # RFC 4180: a line feed within quotes belongs to a cell; a quote within quotes is doubled, which cancels out.
            is_in_cell ^= is_csv and line.count(b'"') % 2 == 1
            count += not is_in_cell
    if is_in_cell or not line.endswith(b"\n"):
        return None
    return max(count - 1, 0) if is_csv else count
