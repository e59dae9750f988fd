"""Sockets by address."""

from games.live.consumers import CommentarySocket, TableSocket

table_sockets = {
    "ws/match/<str:public_id>/": TableSocket,
    "ws/match/<str:public_id>/commentary/": CommentarySocket,
}
