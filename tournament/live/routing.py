"""The event's socket by address."""

from django.urls import path

from tournament.live.consumers import EventSocket

websocket_urlpatterns = [path("ws/event/<slug:slug>/", EventSocket.as_asgi())]
