"""What schemathesis must know of the interface and an OpenAPI document cannot say."""

import re

import schemathesis


@schemathesis.hook
def filter_case(context, case):
    """
    Leaves out parameters without a value, which count as absent, numbers above the largest, which are read as it, and requests that
    wait for seconds for a change.
    """
    query = case.query or {}
    is_without_value = any(value in ("", [], [""]) for value in query.values())
    is_above_all = any(re.fullmatch(r"\d{16,}", str(value)) for value in query.values())
    return not is_without_value and not is_above_all and str(query.get("wait", "0")) in ("0", "1")
