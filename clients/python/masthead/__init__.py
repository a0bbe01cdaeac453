"""The Masthead API for Python: a copy kept true, exports proven complete, retries, and errors with codes.

Every operation and model of the API is in the package `masthead_client`, which the same wheel brings.
"""

from .client import Masthead
from .errors import MastheadError
from .syncing import Copy, SyncResult

__all__ = ["Copy", "Masthead", "MastheadError", "SyncResult"]
