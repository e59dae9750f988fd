import assert from "node:assert/strict";
import { test } from "node:test";

import { banner, connected, hindrance, initial, isBrief, lineSign, pageTitle, ready, reduce, usable } from "../../static/js/table/store.js";
import { awayFor, awayLeft, isComing } from "../../static/js/table/clock.js";
import { choicesFor, nextQuestion } from "../../static/js/table/choices.js";

const WILD_RED = { play: "W", color: "R" };

function view(changes = {}) {
  return {
    match: { phase: "playing", paused: false, title: "Table 3" },
    you: 0, controls: true, turn: 0,
    cards: [{ id: "c1", card: "W", playable: true, why: "" }, { id: "c2", card: "G4", playable: false, why: "No." }],
    actions: [WILD_RED, { play: "W", color: "B" }, { draw: true }],
    may: { draw: true, choose: false, catch: [] },
    sheet: null,
    ...changes,
  };
}

const live = { type: "link", status: { name: "live" }, now: 0 };

/** Return the state after a live socket's first view and then the changes, all at time 0. */
function after(...changes) {
  const first = [live, { type: "view", view: view(), version: 5, now: 0 }];
  return [...first, ...changes].reduce(reduce, initial(view(), 0));
}

test("nothing can be sent before the socket's first view", () => {
  const page = reduce(initial(view(), 0), live);
  assert.equal(ready(page, 0), false);
  assert.equal(ready(after(), 0), true);
});

test("a press that cannot be sent shows its reason, and others show none", () => {
  assert.equal(hindrance(reduce(initial(view(), 0), live), 0), "One moment, the table is loading.");
  assert.equal(hindrance(after(), 0), "");
  const sent = { type: "sent", id: "x", action: { draw: true }, now: 0 };
  assert.equal(hindrance(after(sent), 0), "Your last move is still on its way.");
  const lost = { type: "link", status: { name: "waiting", retryAt: 2000 }, now: 0 };
  assert.match(hindrance(after(sent, lost), 0), /^You’re offline/);
});

test("an older view is ignored, but the same version is accepted, because presence may differ", () => {
  const old = reduce(after(), { type: "view", view: view({ turn: 3 }), version: 4, now: 1 });
  assert.equal(old.view.turn, 0);
  const same = reduce(after(), { type: "view", view: view({ turn: 3 }), version: 5, now: 1 });
  assert.equal(same.view.turn, 3);
});

const sent = { type: "sent", id: "a", action: { play: "R5" }, card: "c1", now: 0 };

test("while an action is pending, no second one can be sent, but a catch can", () => {
  const state = after(sent);
  assert.equal(ready(state, 0), false);
  assert.equal(usable(state, 0), true);
});

test("an action is complete once it is acknowledged and the view is as new", () => {
  const ack = { type: "ack", id: "a", version: 6 };
  const news = { type: "view", view: view({ turn: 1 }), version: 6, now: 0 };
  assert.notEqual(after(sent, ack).pending, null);
  assert.notEqual(after(sent, news).pending, null);
  assert.equal(after(sent, ack, news).pending, null);
  assert.equal(after(sent, news, ack).pending, null);
});

test("a refused action can be repeated, and its reason is shown", () => {
  const state = after(sent, { type: "refused", id: "a", code: "not-your-turn", message: "It’s Ben’s turn.", now: 3 });
  assert.equal(state.pending, null);
  assert.deepEqual(state.notice, { text: "It’s Ben’s turn.", kind: "refused", at: 3 });
});

test("an action that the server could not save stays pending", () => {
  const state = after(sent, { type: "refused", id: "a", code: "unavailable", message: "Later.", now: 3 });
  assert.equal(state.pending.id, "a");
});

test("a pending catch is independent of the turn's action and an open question", () => {
  const caught = { type: "sent", id: "b", action: { catch: 1 }, now: 0 };
  const refused = { type: "refused", id: "b", code: "said-first", message: "Ben said UNO before.", now: 1 };
  const both = after(sent, caught);
  assert.deepEqual([both.pending.id, both.word.id], ["a", "b"]);
  assert.deepEqual([reduce(both, refused).pending.id, reduce(both, refused).word], ["a", null]);
  assert.equal(reduce(both, { type: "ack", id: "b", version: 6 }).word, null);
  assert.equal(ready(after(caught), 0), true);
  const asking = { action: { play: "W" }, card: "c1" };
  assert.deepEqual(after({ type: "ask", ...asking }, caught).asking, asking);
});

test("a wild asks for its colour and can be cancelled before it is sent", () => {
  assert.equal(nextQuestion(view(), { play: "W" }), "color");
  assert.equal(nextQuestion(view(), WILD_RED), null);
  assert.deepEqual(choicesFor(view(), "W"), { colors: ["R", "B"], seats: [] });
  const asking = after({ type: "ask", action: { play: "W" }, card: "c1" });
  assert.deepEqual(asking.asking, { action: { play: "W" }, card: "c1" });
  assert.equal(reduce(asking, { type: "cancel" }).asking, null);
});

test("a card that swaps hands also asks for the seat", () => {
  const swaps = view({ actions: [{ play: "BLANK", color: "R", with: 2 }, { play: "BLANK", color: "R", with: 3 }] });
  assert.equal(nextQuestion(swaps, { play: "BLANK", color: "R" }), "seat");
  assert.equal(nextQuestion(swaps, { play: "BLANK", color: "R", with: 2 }), null);
});

test("the question disappears when the card can no longer be played", () => {
  const late = view({ turn: 1, cards: [{ id: "c1", card: "W", playable: false, why: "Not your turn." }] });
  const state = after({ type: "ask", action: { play: "W" }, card: "c1" }, { type: "view", view: late, version: 6, now: 0 });
  assert.equal(state.asking, null);
});

test("the banner and the sign in the bar show the most serious obstacle first", () => {
  const at = (state, time = 0) => (lineSign(state, time) ?? banner(state))?.code ?? null;
  const link = (name, more = {}) => after({ type: "link", status: { name, ...more }, now: 0 });
  const shows = (changes) => at(after({ type: "view", view: view(changes), version: 6, now: 0 }));
  assert.equal(at(after()), null);
  assert.equal(at(link("connecting")), null);
  assert.equal(at(link("connecting"), 1500), "reconnecting");
  assert.equal(at(link("waiting", { retryAt: 900 })), "offline");
  assert.equal(at(link("restarting", { retryAt: 900 })), "restarting");
  assert.equal(at(link("signed-out")), "signed-out");
  assert.equal(at(link("seat-lost")), "seat-lost");
  assert.equal(shows({ controls: false }), "other-tab");
  assert.equal(shows({ match: { paused: true } }), "paused");
  assert.equal(shows({ you: null, controls: false }), null);
});

test("a page's first connection may be slow without a message", () => {
  const loading = reduce(initial(view(), 0), { type: "link", status: { name: "connecting" }, now: 0 });
  assert.equal(lineSign(loading, 7999), null);
  assert.equal(lineSign(loading, 8000).code, "reconnecting");
});

test("an interruption ends with a received message, not with the next attempt", () => {
  const link = (name, now) => ({ type: "link", status: { name, retryAt: now + 500 }, now });
  const trying = after(link("waiting", 0), link("connecting", 500));
  const told = lineSign(trying, 600);
  assert.deepEqual([told.code, told.text, told.aside], ["offline", "You’re offline.", "Reconnecting …"]);
  assert.equal(lineSign(reduce(trying, link("waiting", 650)), 650).text, told.text);
  assert.deepEqual([isBrief(trying, 2999), isBrief(reduce(trying, link("waiting", 2000)), 3000)], [true, false]);
  assert.equal(lineSign(reduce(trying, link("live", 700)), 700), null);
});

test("the sign shows the server's reason for refusing a connection", () => {
  const reason = "You can have at most 20 windows open at once with one account.";
  const state = after({ type: "link", status: { name: "waiting", retryAt: 9000, reason }, now: 0 });
  assert.equal(lineSign(state, 0).text, reason);
});

test("offline, the sign says that the pending move is saved, and no button works", () => {
  const state = after(sent, { type: "link", status: { name: "waiting", retryAt: 2400 }, now: 0 });
  assert.equal(lineSign(state, 0).text, "You’re offline. Your move will be sent.");
  assert.equal(lineSign(state, 0).aside, "Trying again in 3 s.");
  assert.deepEqual([connected(state, 0), usable(state, 0)], [false, false]);
});

test("the page title shows that it is your turn", () => {
  assert.equal(pageTitle(after()), "Your turn – Lastcard");
  assert.equal(pageTitle(initial(view({ turn: 1 }), 0)), "Table 3 – Lastcard");
  assert.equal(pageTitle(initial(view({ match: { phase: "over", title: "Table 3" } }), 0)), "Match over · Table 3 – Lastcard");
  assert.equal(pageTitle(initial(view({ match: { paused: true } }), 0)), "Paused – Lastcard");
  assert.equal(pageTitle(after(), true), "(1) Your turn – Lastcard");
  assert.equal(pageTitle(initial(view({ turn: 1 }), 0), true), "Table 3 – Lastcard");
});

test("the page title names the event, unless the player has to act", () => {
  const over = initial(view({ match: { phase: "over", title: "Table 3" } }), 0);
  assert.equal(pageTitle(initial(view({ turn: 1 }), 0), false, "Winter Cup"), "Winter Cup · Table 3 – Lastcard");
  assert.equal(pageTitle(over, false, "Winter Cup"), "Match over · Winter Cup · Table 3 – Lastcard");
  assert.equal(pageTitle(after(), true, "Winter Cup"), "(1) Your turn – Lastcard");
});

test("U49: a viewer's banner shows the delay, and gives way to more important ones", () => {
  const late = (changes) => view({ you: null, controls: false, viewer: { mode: "delayed", text: "You see every move with a delay of 1 minute." }, ...changes });
  const shown = (changes) => banner([live, { type: "view", view: late(changes), version: 5, now: 0 }].reduce(reduce, initial(late(), 0)), 0)?.code;
  assert.equal(shown({}), "viewer");
  assert.equal(shown({ open: [] }), "commentary");
  assert.equal(shown({ match: { phase: "playing", paused: true } }), "paused");
  assert.equal(shown({ viewer: { mode: "live", text: "" } }), undefined);
});

test("the banner tells players about viewers with open cards, and gives way to more important ones", () => {
  const told = "Commentators can see everyone’s cards with a delay of 30 seconds.";
  const watched = (changes) => view({ match: { phase: "playing", commentary: told, ...changes } });
  const state = (shown) => [live, { type: "view", view: shown, version: 5, now: 0 }].reduce(reduce, initial(shown, 0));
  assert.deepEqual(banner(state(watched({})), 0), { code: "watched", text: told });
  assert.equal(banner(state(watched({ paused: true })), 0).code, "paused");
  assert.equal(banner(state(watched({ commentary: "" })), 0), null);
  assert.equal(hindrance(state(watched({})), 0), "");
  assert.equal(hindrance(initial(watched({}), 0), 0) === told, false);
});

test("presence changes without a new view, and its times keep running", () => {
  const here = { seat: 0, present: true, gone_seconds: null, away_left_ms: null };
  const gone = { seat: 1, present: false, gone_seconds: 9, away_left_ms: 30_000 };
  const seats = [{ ...here, name: "Asha", coming_ms: 9000 }, { ...here, seat: 1, name: "Ben" }, { ...here, seat: 2 }];
  const chitra = { ...here, seat: 2, present: false, playing: true, bot: "", coming_ms: 3000 };
  const before = initial(view({ seats, clock: { seat: 1 } }), 1000);
  const state = reduce(before, { type: "here", seats: [here, gone, chitra], now: 5000 });
  assert.deepEqual([state.view.seats[0], state.seenAt], [{ ...seats[0], coming_ms: 0 }, 1000]);
  assert.equal(state.view.seats[1].name, "Ben");
  assert.equal(awayFor(state.view.seats[1], state, 7000), 11);
  assert.equal(awayLeft(state.view.seats[1], state, 7000), 28);
  assert.deepEqual([7999, 8000].map((now) => isComing(state.view.seats[2], state, now)), [true, false]);
});
