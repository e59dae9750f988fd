"""Sockets by address."""

from django.urls import path

from games.live.consumers import CommentarySocket, TableSocket

websocket_urlpatterns = [
    path("ws/match/<str:public_id>/", TableSocket.as_asgi()),
    path("ws/match/<str:public_id>/commentary/", CommentarySocket.as_asgi()),
]
