"""What writes: each function is one transaction and says no with `Refused`."""

from tournament.services.errors import Refused
from tournament.services.registering import (
    approve,
    approve_all,
    approve_waiting,
    places_left,
    refuse,
    refuse_all,
    register,
    withdraw,
    withdraw_all,
)

__all__ = [
    "Refused",
    "approve",
    "approve_all",
    "approve_waiting",
    "places_left",
    "refuse",
    "refuse_all",
    "register",
    "withdraw",
    "withdraw_all",
]
