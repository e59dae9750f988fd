// Tests deals that disappear, or that turn out to be wrong later.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Attempt } from "./dealing.js";
import { commitInWindow, opened, openWindow } from "./sharing.js";


/** Return the view of a hand in play that shows no deal. */
const viewInPlay = (attempt) => ({ ...attempt.view("commit"), deal: null, match: { id: "m", phase: "playing", hand: attempt.draw.hand } });

test("a hand played without requesting the accepted contribution's share raises an alarm", () => {
  const { attempt, shares, codes, store } = commitInWindow();
  shares.hear(viewInPlay(attempt));
  shares.hear(viewInPlay(attempt));
  assert.deepEqual([codes(), openWindow(store).codes()], [["deal-gone"], ["deal-gone"]]);
});

test("a player who was away, had opened the share, or saw the match end has no complaint", () => {
  const away = commitInWindow();
  away.line.socket = 2;
  away.shares.hear(viewInPlay(away.attempt));
  const asked = opened();
  asked.shares.hear(viewInPlay(asked.attempt));
  const ended = commitInWindow();
  ended.shares.hear({ ...viewInPlay(ended.attempt), match: { id: "m", phase: "over" } });
  assert.deepEqual([away.codes(), asked.codes(), ended.codes()], [[], [], []]);
});

test("hands found wrong later are reported once", () => {
  const { shares, codes, store } = commitInWindow();
  shares.found([2, 5], 0);
  shares.found([2, 5], 0);
  assert.deepEqual([codes(), openWindow(store).codes()], [["record-wrong", "record-wrong"], []]);
  shares.found([5], null);
  assert.equal(codes().length, 2);
});

test("a hand dealt again under the number of a played one raises an alarm", () => {
  const { attempt, shares, codes } = opened();
  shares.hear(attempt.view("dealt"));
  shares.hear(viewInPlay(attempt));
  const again = new Attempt({ attempt: 2, gone: [attempt.opened({ 0: attempt.shares[0] })] });
  shares.hear(again.view("commit"));
  assert.deepEqual(codes(), ["dealt-again"]);
  const { attempt: next, shares: other, codes: none } = opened();
  other.hear(next.view("dealt"));
  other.hear(viewInPlay(next));
  other.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(none(), []);
});

test("a dealt attempt may not be shown as void", () => {
  const { attempt, shares, codes } = opened();
  shares.hear(attempt.view("dealt"));
  shares.hear(new Attempt({ attempt: 2, gone: [attempt.opened({ 0: attempt.shares[0] })] }).view("commit"));
  assert.deepEqual(codes(), ["dealt-again"]);
});

test("skipping a hand whose commitment was accepted raises an alarm", () => {
  const { shares, codes } = commitInWindow();
  shares.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(codes(), ["deal-gone"]);
  const { shares: away, line, codes: none } = commitInWindow();
  line.socket += 1;
  away.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(none(), []);
});

test("a commitment released with its seat is sent again unchanged when the player returns", () => {
  const { attempt, shares, sent, store, codes } = commitInWindow();
  shares.hear(attempt.view("commit"));
  const [{ commitment }] = sent;
  shares.hear({ ...attempt.view("commit"), you: null });
  delete attempt.commitments[0];
  shares.hear(attempt.view("commit"));
  shares.hear(attempt.view("commit"));
  assert.deepEqual(sent.map((each) => each.commitment), [commitment, commitment]);
  const later = openWindow(store);
  later.shares.hear(attempt.view("commit"));
  assert.deepEqual(later.sent.map((each) => each.commitment), [commitment]);
  assert.deepEqual([...codes(), ...later.codes()], []);
});
