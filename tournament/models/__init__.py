from tournament.models.people import User

__all__ = ["User"]
