// Deals that are no longer shown, or that turn out to be wrong.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Attempt } from "./dealing.js";
import { commitInWindow, opened, openWindow } from "./sharing.js";


/** Return the view of a hand in play that shows no deal. */
const viewInPlay = (attempt) => ({ ...attempt.view("commit"), deal: null, match: { id: "m", phase: "playing", hand: attempt.draw.hand } });

test("a hand that is played without having asked for the part that was accepted raises an alarm", () => {
  const { attempt, shares, codes, store } = commitInWindow();
  shares.hear(viewInPlay(attempt));
  shares.hear(viewInPlay(attempt));
  assert.deepEqual([codes(), openWindow(store).codes()], [["deal-gone"], ["deal-gone"]]);
});

test("who was away meanwhile, had opened, or saw the match end has nothing to say about that", () => {
  const away = commitInWindow();
  away.line.socket = 2;
  away.shares.hear(viewInPlay(away.attempt));
  const asked = opened();
  asked.shares.hear(viewInPlay(asked.attempt));
  const ended = commitInWindow();
  ended.shares.hear({ ...viewInPlay(ended.attempt), match: { id: "m", phase: "over" } });
  assert.deepEqual([away.codes(), asked.codes(), ended.codes()], [[], [], []]);
});

test("hands found wrong afterwards are told once each, and never twice for one hand", () => {
  const { shares, codes, store } = commitInWindow();
  shares.found([2, 5], 0);
  shares.found([2, 5], 0);
  assert.deepEqual([codes(), openWindow(store).codes()], [["record-wrong", "record-wrong"], []]);
  shares.found([5], null);
  assert.equal(codes().length, 2);
});

test("a hand that was played already, and is dealt again under its number, raises an alarm", () => {
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

test("an attempt that was dealt is no void one, whatever is left out of it", () => {
  const { attempt, shares, codes } = opened();
  shares.hear(attempt.view("dealt"));
  shares.hear(new Attempt({ attempt: 2, gone: [attempt.opened({ 0: attempt.shares[0] })] }).view("commit"));
  assert.deepEqual(codes(), ["dealt-again"]);
});

test("a hand that is skipped for the next one, with this part accepted, raises an alarm", () => {
  const { shares, codes } = commitInWindow();
  shares.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(codes(), ["deal-gone"]);
  const { shares: away, line, codes: none } = commitInWindow();
  line.socket += 1;
  away.hear(new Attempt({ hand: 3 }).view("commit"));
  assert.deepEqual(none(), []);
});

test("a part that was let go with its seat is sent again, the same, when its player is back", () => {
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
