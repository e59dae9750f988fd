"""Storage of messages for the next page, in a cookie with a configured name or the session."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest


class MessageCookieStorage(CookieStorage):
    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.cookie_name = settings.MESSAGES_COOKIE_NAME


class MessageStorage(FallbackStorage):
    storage_classes = (MessageCookieStorage, SessionStorage)
