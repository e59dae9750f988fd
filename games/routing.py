"""Sockets by address."""

from django.urls import path

from games.consumers import TableSocket

websocket_urlpatterns = [path("ws/match/<str:public_id>/", TableSocket.as_asgi())]
