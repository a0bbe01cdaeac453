"""The error that every call raises."""

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx

from masthead_client.models import FieldError
from masthead_client.models.problem_code import ProblemCode

ClientCode = Literal["connection_failed", "unexpected_answer", "incomplete_export"]
"""What goes wrong on this side: no answer or half of one, an answer that is not the API's, an export without its end."""


class MastheadError(Exception):
    """Every failure of a call. Programs check `code`; it never holds the API key."""

    code: ProblemCode | ClientCode
    """Stable: a code of the service (/docs/errors), or of this client."""
    detail: str
    """For people: what is wrong and what to do."""
    status: int | None
    """The HTTP status; None if there was no answer."""
    errors: list[FieldError]
    """With `invalid_request`: what is wrong with each parameter or body field."""
    request_id: str | None
    """The request in the service's log: quote it when you report an error."""
    retry_after: float | None
    """Seconds until the service wants to be asked again; None if it does not say."""
    problem: dict[str, Any] | None
    """The whole answer, with what only some errors have, such as `required_plan` and `buy_url`."""

    def __init__(
        self,
        code: ProblemCode | ClientCode,
        detail: str,
        *,
        answer: httpx.Response | None = None,
        problem: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.problem = problem
        self.errors = [FieldError.from_dict(error) for error in (problem or {}).get("errors", [])]
        self.status = None if answer is None else answer.status_code
        self.request_id = None if answer is None else answer.headers.get("X-Request-Id")
        self.retry_after = None if answer is None else read_retry_after(answer.headers)

    def __str__(self) -> str:
        faults = [f"{error.name}: {error.message}" for error in self.errors]
        # Of a single fault, the detail says all.
        return "\n".join([f"{self.code}: {self.detail}", *(faults if len(faults) > 1 else [])])


def read_error(answer: httpx.Response) -> MastheadError:
    """The error that an answer stands for."""
    if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        try:
            problem = json.loads(answer.read())
            return MastheadError(problem["code"], problem["detail"], answer=answer, problem=problem)
        except ValueError:
            pass
    found = f"The answer has status {answer.status_code} and is not of the Masthead API."
    detail = f"{found} Check base_url, and what is between you and the service."
    return MastheadError("unexpected_answer", detail, answer=answer)


def read_retry_after(headers: httpx.Headers) -> float | None:
    """Seconds from Retry-After, which is a number of them or a date; None without one."""
    text = headers.get("Retry-After", "")
    if text.isdecimal():
        return float(text)
    try:
        return max((parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds(), 0)
    except (TypeError, ValueError):
        return None
