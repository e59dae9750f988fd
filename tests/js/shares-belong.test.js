// Tests deals that belong to another hand, or that are never shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { unshown } from "../../static/js/fair/belonging.js";
import { Kept } from "../../static/js/fair/kept.js";
import { Attempt } from "./dealing.js";
import { commitInWindow, opened, openWindow } from "./sharing.js";

/** Return the view of this hand in play, without a deal. */
const viewInPlay = (hand, changes = {}) => ({ ...new Attempt().view("dealt"), deal: null, match: { id: "m", phase: "playing", hand }, ...changes });
/** Return the view of the pause before this hand. */
const pause = (hand, changes = {}) => ({ ...new Attempt({ hand }).view("commit"), ...changes });
/** Create a window that took part in hand 2, which is in play. */
function startMatch() {
  const { attempt, ...window } = opened();
  window.shares.hear(attempt.view("dealt"));
  return window;
}
/** Return the notes about the hand as a whole. */
const getNote = (store, hand) => new Kept(store).note({ match: "m", hand, attempt: 0 }, 0);

test("a deal of another hand than the next one is refused and reported with its facts", () => {
  for (const hand of [77, 1, 2]) {
    const { shares, sent, store, codes } = openWindow();
    const stray = new Attempt({ hand });
    shares.hear(pause(3, { deal: stray.facts("commit") }));
    shares.hear(pause(3, { deal: stray.facts("commit") }));
    assert.deepEqual([codes(), sent], [["other-hand"], []], hand);
    const [{ deal }] = getNote(store, 3).complaints;
    assert.deepEqual([deal.hand, deal.match, deal.phase, deal.at_hand], [hand, "m", "between", 2]);
  }
});

test("before a match only the first hand may be shown, and in play only the current one", () => {
  for (const [view, hand, expected] of [
    [pause(1), 1, []], [pause(1), 2, ["other-hand"]], [viewInPlay(2), 2, []], [viewInPlay(2), 3, ["other-hand"]],
  ]) {
    const { shares, codes } = openWindow();
    shares.hear({ ...view, deal: new Attempt({ hand }).facts("commit") });
    assert.deepEqual(codes(), expected);
  }
});

test("an attempt without a number is invalid", () => {
  const { shares, codes } = openWindow();
  shares.hear(pause(2, { deal: { ...new Attempt().facts("commit"), attempt: 0 } }));
  assert.deepEqual(codes(), ["other-hand"]);
});

test("a view of another match than the page's is refused", () => {
  const { shares, sent, store, codes } = openWindow();
  shares.hear(new Attempt({ match: "n" }).view("commit"));
  assert.deepEqual([codes(), sent, getNote(store, 2).match], [["other-match"], [], "m"]);
});

test("a valid deal is accepted after invalid ones", () => {
  const { shares, sent, codes } = openWindow();
  shares.hear(pause(2, { deal: new Attempt({ hand: 9 }).facts("commit") }));
  const attempt = new Attempt();
  shares.hear(attempt.view("commit"));
  attempt.take(sent[0]);
  shares.hear(attempt.view("open"));
  shares.hear(attempt.view("dealt", { shares: attempt.shares }));
  assert.deepEqual([codes(), sent.map(({ type }) => type)], [["other-hand", "share-wrong"], ["commit", "open"]]);
});

// Deals that are never shown

test("a pause without a deal is reported immediately, and once for the hand", () => {
  const { shares, store, codes } = openWindow();
  shares.hear(pause(2, { deal: null }));
  shares.hear(pause(2, { deal: null }));
  shares.hear(viewInPlay(2));
  shares.hear(viewInPlay(2));
  assert.deepEqual([codes(), openWindow(store).codes(), getNote(store, 2).played], [["never-shown"], ["never-shown"], true]);
});

test("a hand that follows another without a deal is reported", () => {
  const { shares, codes } = openWindow();
  shares.hear(viewInPlay(1));
  shares.hear(viewInPlay(2, { cards: [] }));
  assert.deepEqual(codes(), []);
  shares.hear(viewInPlay(2));
  assert.deepEqual(codes(), ["never-shown"]);
});

test("a player who arrives during a hand may have missed its deal, which is noted without a complaint", () => {
  const { shares, line, store, codes } = openWindow();
  shares.hear(viewInPlay(1));
  line.socket = 2;
  shares.hear(viewInPlay(2));
  const expected = { match: "m", hand: 2, seat: 0, at: "2026-11-21T10:00:00Z" };
  assert.deepEqual([codes(), getNote(store, 1).played, getNote(store, 2)], [[], true, { ...unshown(expected), played: true }]);
});

test("a page that was suspended may have missed a deal", () => {
  const { shares, freeze, codes } = openWindow();
  shares.hear(viewInPlay(1));
  freeze(9);
  shares.hear(viewInPlay(2));
  assert.deepEqual(codes(), []);
});

test("a deal of a hand that is already in play is invalid", () => {
  const { shares, codes } = openWindow();
  shares.hear(viewInPlay(2));
  shares.hear(new Attempt().view("commit"));
  assert.ok(codes().includes("dealt-again"));
});

test("a seat that gets cards after being called a viewer or out is reported", () => {
  const seats = pause(2).seats.map((seat) => ({ ...seat, out: true }));
  for (const hidden of [{ you: null }, { you: null, deal: null }, { seats }]) {
    const { shares, line, codes, sent } = openWindow();
    shares.hear(pause(2, hidden));
    line.socket = 2;
    shares.hear(viewInPlay(2));
    assert.deepEqual([codes(), sent], [["seat-hidden"], []]);
    shares.own(0, "seat-hidden");
    assert.deepEqual(codes(), []);
  }
});

test("a player who got a seat in time to commit, or who only watches, has no complaint", () => {
  const { shares, sent, codes } = openWindow();
  shares.hear(pause(2, { you: null }));
  shares.hear(pause(2));
  assert.equal(sent.length, 1);
  shares.hear(new Attempt().view("dealt", { shares: {} }));
  assert.ok(!codes().includes("seat-hidden"));
  const watching = openWindow();
  watching.shares.hear(pause(2, { you: null }));
  watching.shares.hear(viewInPlay(2, { you: null }));
  assert.deepEqual(watching.codes(), []);
});

test("only a browser that had a seat remembers after a reload that it was shown the viewer’s page", () => {
  const { store, shares, codes } = startMatch();
  shares.signedOut(pause(3, { you: null }), 0);
  assert.ok(getNote(store, 3).barred);
  const later = openWindow(store);
  later.shares.hear(viewInPlay(3));
  assert.deepEqual([codes(), later.codes()], [[], ["seat-hidden"]]);
  for (const [first, expected] of [[startMatch(), ["seat-hidden"]], [openWindow(), []]]) {
    openWindow(first.store).shares.hear(pause(3, { you: null }));
    const next = openWindow(first.store);
    next.shares.hear(viewInPlay(3));
    assert.deepEqual(next.codes(), expected);
  }
});

test("a page that only watches a hand of this browser complains once, with the server’s facts", () => {
  const { store } = startMatch();
  const watching = openWindow(store);
  watching.shares.hear(pause(2, { you: null }));
  assert.deepEqual(watching.codes(), []);
  for (let i = 0; i < 2; i += 1) watching.shares.hear(viewInPlay(2, { you: null }));
  assert.deepEqual(watching.codes(), ["seat-denied"]);
  const [{ complaint: { deal, about } }] = watching.shares.complaints;
  assert.deepEqual([deal.you, deal.phase, deal.at_hand, about], [null, "playing", 2, 0]);
  watching.shares.own(0, "seat-denied");
  watching.shares.hear(viewInPlay(2, { you: null }));
  assert.deepEqual(watching.codes(), []);
});

test("a page that watches a hand without a part of this browser does not complain", () => {
  const { store } = startMatch();
  const out = openWindow();
  out.shares.hear(pause(2, { seats: pause(2).seats.map((seat) => ({ ...seat, out: true })) }));
  for (const [window, hand, phase] of [[openWindow(store), 3, "playing"], [openWindow(store), 2, "over"], [openWindow(out.store), 2, "playing"]]) {
    window.shares.hear({ ...viewInPlay(hand, { you: null }), match: { id: "m", phase, hand } });
    assert.deepEqual(window.codes(), []);
  }
});

// Shares opened without a request

test("a share shown as open but never sent is reported, and is sent nevertheless", () => {
  const { attempt, shares, sent, codes } = commitInWindow();
  shares.hear(attempt.view("open", { opened: [0, 1] }));
  assert.deepEqual([codes(), sent.map(({ type }) => type)], [["opened-unsent"], ["commit", "open"]]);
  const { attempt: other, shares: honest, codes: none } = opened();
  honest.hear(other.view("open", { opened: [0, 1] }));
  assert.deepEqual(none(), []);
});

test("an attempt that fails for a share never requested is reported, unless this page was away", () => {
  for (const [socket, expected] of [[1, ["never-asked"]], [2, []]]) {
    const { attempt, shares, line, codes } = commitInWindow();
    line.socket = socket;
    shares.hear(new Attempt({ attempt: 2, gone: [attempt.opened({ 1: attempt.shares[1] })] }).view("commit"));
    assert.deepEqual(codes(), expected);
  }
});

// Too many attempts

/** Return a window's complaints when this many attempts begin, one every few `seconds`. */
function attempts(count, seconds, seats = 20) {
  const window = openWindow();
  const gone = [];
  for (let attempt = 1; attempt <= count; attempt += 1) {
    const each = new Attempt({ attempt, gone: [...gone] });
    const view = each.view("commit");
    window.shares.hear({ ...view, seats: Array.from({ length: seats }, (_, seat) => view.seats[seat] ?? { seat, name: "", out: false }) });
    gone.push(each.opened({}));
    window.pass(seconds);
  }
  return [window.codes().filter((code) => code === "too-many"), window.sent.at(-1).attempt];
}

test("more attempts in a minute than an honest server makes are reported and not recorded", () => {
  assert.deepEqual(attempts(13, 1), [[], 13]);
  assert.deepEqual(attempts(20, 1), [["too-many"], 13]);
});

test("more attempts than two failures per player allow are reported, however slow they are", () => {
  assert.deepEqual([attempts(7, 6, 3), attempts(8, 6, 3)], [[[], 7], [["too-many"], 7]]);
});

// Other messages from a server

test("malformed facts cause a complaint, and the hand is still noted", () => {
  const wrong = [
    { void: null }, { opened: null }, { opened: {} }, { shares: null }, { server: 5 }, { hand: "2" }, { attempt: 1.5 }, { attempt: "1" },
    { step: "closed" }, { digest: [] }, { list: "x" }, { mine: {} }, { void: [null] }, { void: [{ attempt: 1 }] },
    { list: { seats: [null] } }, { void: [{ list: { seats: [null] }, secret: "", shares: {} }] }, { shares: { 0: 5 } },
  ];
  for (const changes of wrong) {
    const { shares, store, sent, codes } = openWindow();
    shares.hear(pause(2, { deal: { ...new Attempt().facts("commit"), ...changes } }));
    shares.watch();
    shares.hear({ ...viewInPlay(2), deal: { ...new Attempt().facts("dealt"), ...changes } });
    assert.deepEqual([codes()[0], sent, getNote(store, 2).played], ["unreadable", [], true], JSON.stringify(changes));
  }
});

test("a share that was shown as open may not be called late, even without an answer", () => {
  const { attempt, shares, line, codes } = commitInWindow();
  line.reached = false;
  shares.hear(attempt.view("open"));
  shares.hear(attempt.view("open", { opened: [0, 1] }));
  shares.hear(new Attempt({ attempt: 2, gone: [attempt.opened({ 1: attempt.shares[1] })] }).view("commit"));
  assert.deepEqual(codes(), ["called-late"]);
});

test("an earlier attempt may not be dealt after a later one was shown", () => {
  const first = new Attempt();
  const { shares, codes, taken } = openWindow();
  const second = new Attempt({ attempt: 2, gone: [first.opened({})] });
  shares.hear(second.view("commit"));
  taken(second);
  assert.deepEqual(codes(), []);
  shares.hear(first.view("dealt"));
  assert.deepEqual(codes(), ["attempt-hidden"]);
});

test("a player who is shown another seat until the deal is warned", () => {
  const { store, shares, sent } = openWindow();
  shares.hear(pause(2, { you: 1, deal: { ...new Attempt().facts("commit"), mine: null } }));
  assert.equal(sent.length, 1);
  const later = openWindow(store);
  later.shares.hear(viewInPlay(2));
  assert.deepEqual(later.codes(), ["seat-hidden"]);
});

test("an unusable view causes a complaint, and later views are still processed", () => {
  const { shares, sent, codes } = openWindow();
  shares.hear(pause(2, { you: 7 }));
  assert.deepEqual(codes(), ["unreadable"]);
  shares.hear(pause(2));
  assert.deepEqual(sent.map(({ type }) => type), ["commit"]);
});
