"""Tests of the review page: figures that add up, and descriptions of mistakes."""

from typing import Any

import pytest

from games import queries
from games.json_values.reviewed import ReviewedHand, ReviewedPlayer
from games.models import Match
from games.reviews.figures import Share
from games.reviews.page import ReviewPage
from tests.games.helpers import begin, make_match, seat_number
from tests.games.reviewing import (
    LOSER,
    MOVES,
    WINNER,
    make_mistake,
    make_reviewed_hand,
    play_short_match,
    store_completed_review,
)

pytestmark = pytest.mark.django_db


def get_review_page(match: Match, seat: int | None = None) -> ReviewPage:
    snapshot = queries.match_for_seat(match, seat_number(seat)).snapshot
    return queries.review_page(snapshot, seat_number(seat))


def list_reviewed_moves(*moves: Any) -> list[tuple[str, str]]:
    """Return the text and the better alternative of each mistake on the review page."""
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*moves))
    return [(move.text, move.better) for move in get_review_page(match)["moves"]]


def test_match_without_a_review_has_an_empty_page() -> None:
    shown = get_review_page(play_short_match())
    assert (shown["asked"], shown["hands"], shown["shares"], shown["most"]) == (None, [], [], 0.0)


def test_hand_shares_add_up_in_percentage_points() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    [shown] = get_review_page(match)["hands"]
    names = [seat.name for seat in match.seats.all()]
    users = [seat.user_id for seat in match.seats.all()]
    assert shown.shares == [
        Share(names[0], users[0], 100, 50, 60, 12, 48, -10, 4),
        Share(names[1], users[1], 0, 50, -43, -10, -33, -7, 2),
    ]


def test_match_shares_add_up_in_hands() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES), make_reviewed_hand())
    shown = get_review_page(match)
    parts = [(share.won, share.start, share.luck, share.play) for share in shown["shares"]]
    assert parts == [(2.0, 1.0, 1.2, -0.2), (0.0, 1.0, -0.86, -0.14)]
    assert shown["shares"][0].deal + shown["shares"][0].later == pytest.approx(1.2)
    assert shown["most"] == 1.2


def test_seat_that_was_never_dealt_in_has_no_share() -> None:
    match = play_short_match()
    seat = match.seats.all()[1]
    store_completed_review(match, ReviewedHand(1, [seat.number], [WINNER], []))
    assert [share.name for share in get_review_page(match)["shares"]] == [seat.name]


def test_partners_have_adjacent_rows_that_name_each_other() -> None:
    hands = ["R1 R2", "R3 G9", "B1 B2", "B3 B4"]
    match = begin(hands, "R5", hand_limit=1, options={"partners": True})
    seats = list(match.seats.all())
    numbers = [seat.number for seat in seats]
    store_completed_review(match, ReviewedHand(1, numbers, [WINNER, LOSER, WINNER, LOSER], []))
    result = [(share.name, share.partner) for share in get_review_page(match)["shares"]]
    one, two, three, four = (seat.name for seat in seats)
    assert result == [(one, three), (three, one), (two, four), (four, two)]


def test_mistake_is_shown_with_its_log_text_and_the_better_move() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    first, second = get_review_page(match)["hands"][0].moves
    name, other = (seat.said for seat in match.seats.all())
    assert (first.number, first.hand, first.cost, first.error) == (1, 1, 10, 2)
    assert first.text == f"{name} plays Red 1 and says UNO."
    assert first.better == "Red 2"
    assert first.replay == f"/m/{match.public_id}/hands/1/?step=1"
    assert (second.text, second.better) == (f"{other} plays Red 3 and says UNO.", "draw")


def test_mistake_that_cost_under_half_a_point_is_left_out() -> None:
    chosen, better = MOVES[0].chosen, MOVES[0].better
    match = play_short_match()
    costs = [0.0049, 0.0051]
    store_completed_review(
        match,
        make_reviewed_hand(
            *[make_mistake(MOVES[0].player, MOVES[0].step, c, chosen, better) for c in costs]
        ),
    )
    assert [move.cost for move in get_review_page(match)["moves"]] == [1]


def test_player_sees_only_their_own_mistakes() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    assert [move.better for move in get_review_page(match, 1)["moves"]] == ["draw"]
    assert (get_review_page(match, 1)["own"], get_review_page(match)["own"]) == (True, False)
    assert [move.better for move in get_review_page(match)["moves"]] == ["Red 2", "draw"]


@pytest.mark.parametrize(
    ("chosen", "better", "words"),
    [
        ({"play": "R1"}, {"play": "R1", "uno": True}, "say UNO"),
        ({"play": "R1"}, {"play": "R2", "uno": True}, "Red 2"),
        ({"catch": 1}, None, "say nothing"),
        ({"draw": True}, {"pass": True}, "pass"),
        ({"draw": True}, {"choose": "G"}, "green"),
        ({"draw": True}, {"play": "W", "color": "B"}, "Wild (blue)"),
    ],
)
def test_better_move_is_described(chosen: Any, better: Any, words: str) -> None:
    assert [
        shown for _text, shown in list_reviewed_moves(make_mistake(0, 0, 0.1, chosen, better))
    ] == [words]


def test_better_move_with_a_swap_names_the_other_player() -> None:
    match = play_short_match()
    store_completed_review(
        match, make_reviewed_hand(make_mistake(0, 0, 0.1, {"draw": True}, {"play": "W", "with": 1}))
    )
    other = match.seats.all()[1].said
    assert get_review_page(match)["moves"][0].better == f"Wild ({other})"


def test_hand_is_summarized_in_one_sentence() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand())
    name = match.seats.all()[0].said
    best = f"After the deal, {name} had the best chance of winning (62%)."
    assert get_review_page(match)["hands"][0].text == f"{best} {name} won the hand."


def test_blocked_hand_names_no_winner() -> None:
    match = play_short_match()
    lost = ReviewedPlayer(0.5, 0.0, -0.5, 0.0, 0.0, [0.5, 0.0])
    store_completed_review(match, ReviewedHand(1, make_reviewed_hand().players, [lost, LOSER], []))
    assert get_review_page(match)["hands"][0].text.endswith("Nobody won the hand.")


def test_only_finished_matches_with_visible_cards_can_be_reviewed() -> None:
    matches = [play_short_match(), play_short_match(replays="never"), make_match()]
    found = [queries.may_review(queries.match_for_seat(match, None).snapshot) for match in matches]
    assert found == [True, False, False]


def test_delayed_viewers_see_the_review_later() -> None:
    match = play_short_match(viewers="delayed", viewer_delay_seconds=60)
    viewer, player = (
        queries.match_for_seat(match, seat_number(seat)).snapshot for seat in (None, 0)
    )
    assert [queries.may_review(snapshot) for snapshot in (viewer, player)] == [False, True]


@pytest.mark.parametrize(("replays", "link"), [("over", True), ("never", False)])
def test_sheet_and_result_link_to_an_available_review(replays: str, link: bool) -> None:
    match = play_short_match(replays=replays)
    snapshot = queries.match_for_seat(match, seat_number(0)).snapshot
    assert queries.result_page(snapshot)["luck"] == link
    sheet = queries.match_view(match, match.seats.all()[0].user)["sheet"]
    assert sheet is not None
    assert sheet["links"]["review"] == (f"/m/{match.public_id}/luck/" if link else None)
