"""Requests with the key, sent again where that helps, and refusals that are raised."""

import itertools
import random
import re
from collections.abc import Callable, Generator
from typing import Any

import httpx

from .errors import MastheadError, read_error

PASSING = [429, 503]
"""The refusals that go by: too many requests, and an engine that is away."""


class Connection(httpx.Client):
    """The client of httpx under all operations.

    Sends a request again after 429 and 503, when Retry-After says, and after a broken connection, if the request may arrive
    twice. Every other answer than success raises MastheadError.
    """

    def __init__(
        self,
        base_url: str,
        key: str | Callable[[], str] | None,
        *,
        retries: int,
        max_wait: float,
        wait: Callable[[float], None],
        timeout: float,
    ) -> None:
        auth = None if key is None else KeyInHeader(key)
        super().__init__(base_url=check_base_url(base_url), auth=auth, timeout=timeout, follow_redirects=True)
        self._retries = retries
        self._max_wait = max_wait
        self._wait = wait

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        retries = self._retries if is_repeatable(request) else 0
        for count in itertools.count():
            try:
                return self._send_once(request, options)
            except MastheadError as error:
                seconds = backoff(count) if error.retry_after is None else error.retry_after
                if count >= retries or seconds > self._max_wait or not may_pass(error, request):
                    raise
            self._wait(seconds)
        raise AssertionError("the loop ends by an answer or an error")

    def _send_once(self, request: httpx.Request, options: dict[str, Any]) -> httpx.Response:
        try:
            answer = super().send(request, **options)
            # A page for people, such as the sign-in of a network, comes with 200, too.
            if answer.is_success and not answer.headers.get("Content-Type", "").startswith("text/html"):
                return answer
            answer.read()
        except (httpx.TransportError, httpx.DecodingError) as cause:
            detail = f"The service at {request.url.host} cannot be reached, or the connection broke."
            raise MastheadError("connection_failed", detail) from cause
        raise read_error(answer)


class KeyInHeader(httpx.Auth):
    """Adds the key. A function is called for each request, so that a key can be replaced while the program runs."""

    def __init__(self, key: str | Callable[[], str]) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        key = self._key() if callable(self._key) else self._key
        # What a header cannot carry would be repeated in the error of httpx.
        if not re.fullmatch(r"[!-~]+", key):
            raise ValueError("The API key is empty or has characters that no key has.")
        request.headers["Authorization"] = f"Bearer {key}"
        yield request


def check_base_url(base_url: str) -> httpx.URL:
    """Raises ValueError without the URL in it, which could hold a password."""
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("base_url must be a URL, such as https://masthead.example.")
    if url.userinfo or url.query:
        raise ValueError("base_url must not hold a password or parameters. Give the API key as key.")
    return url


def is_repeatable(request: httpx.Request) -> bool:
    """Whether a request may arrive twice. A lookup is a POST only because it is long."""
    is_lookup = request.url.path.endswith("/records/lookup")
    return request.method == "GET" or is_lookup or "Idempotency-Key" in request.headers


def may_pass(error: MastheadError, request: httpx.Request) -> bool:
    """Whether a failure may be gone the next time. No order is read again: the lost answer may have had its key, given once."""
    if error.code == "connection_failed":
        return re.search(r"/orders/[^/]+$", request.url.path) is None
    return error.status in PASSING


def backoff(count: int) -> float:
    """Seconds: half of one, doubled each time, of which up to half is left out by chance."""
    return 2.0 ** (count - 1) * (1 - random.random() / 2)
