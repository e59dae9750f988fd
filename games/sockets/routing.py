"""URL patterns of the sockets."""

from games.sockets.consumers import CommentarySocket, TableSocket

table_sockets = {
    "ws/match/<slug:public_id>/": TableSocket,
    "ws/match/<slug:public_id>/commentary/": CommentarySocket,
}
