// Tests commitments and shares that are refused or unanswered.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Kept } from "../../static/js/fair/kept.js";
import { Shares } from "../../static/js/table/shares.js";
import { Attempt, Store } from "./dealing.js";
import { reopenAfter, commitInWindow, openWindow } from "./sharing.js";


/** Return the messages recorded in the note on hand 2. */
const getSent = (store, attempt = new Attempt()) => new Kept(store).note(attempt.draw, 0).sent;

test("messages are stored before they are sent, with time, connection and later the answer", () => {
  const store = new Store();
  const seen = [];
  const shares = new Shares({ match: "m", kept: new Kept(store), now: () => "2026-11-21T10:00:00Z", ask: (message) => `id${seen.push([message, getSent(store)])}` });
  shares.hear(new Attempt().view("commit"));
  const [[message, kept]] = seen;
  assert.deepEqual(kept, [{ type: "commit", hex: message.commitment, at: "2026-11-21T10:00:00Z", line: "live", reached: null, answer: null, answered: null }]);
  shares.answered({ type: "ack", id: "id1" });
  assert.deepEqual(getSent(store).map(({ answer, answered }) => [answer, answered]), [["ack", "2026-11-21T10:00:00Z"]]);
});

test("a refused commitment raises an alarm while the server still accepts others", () => {
  for (const code of ["closed", "other-deal", "other-share", "busy"]) {
    const { shares, pass, answer, codes } = openWindow();
    shares.hear(new Attempt().view("commit"));
    answer("refused", { code });
    pass(1);
    assert.deepEqual(codes(), [], code);
    pass(2);
    assert.deepEqual(codes(), ["commit-refused"], code);
    pass(5);
    assert.equal(codes().length, 1);
  }
});

test("a commitment that arrives when the list is closed may be refused", () => {
  const attempt = new Attempt();
  const { shares, pass, answer, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  answer("refused", { code: "closed" });
  shares.hear(attempt.view("open"));
  pass(9);
  assert.deepEqual(codes(), []);
});

test("a commitment may not be refused as malformed, or for a player who never failed", () => {
  for (const [code, hand] of [["malformed", 2], ["not-in-hand", 2], ["not-listed", 1], ["not-listed", 2]]) {
    const { shares, answer, codes } = openWindow();
    shares.hear(new Attempt({ hand }).view("commit"));
    answer("refused", { code });
    assert.deepEqual(codes(), ["commit-refused"], code);
  }
});

test("a commitment may be refused for failures in hands that this browser did not see", () => {
  const { shares, answer, pass, codes } = openWindow();
  shares.hear(new Attempt({ hand: 3 }).view("commit"));
  answer("refused", { code: "not-listed" });
  assert.deepEqual(codes(), []);
  assert.deepEqual(pass(1), undefined);
});

test("a list that wrongly names this seat as failed or excluded raises an alarm", () => {
  for (const why of ["before", "failed"]) {
    const attempt = new Attempt();
    const { shares, codes } = openWindow();
    shares.hear(attempt.view("commit"));
    shares.hear(attempt.view("open", { list: attempt.list({ seats: [{ seat: 0, why }, ...attempt.list().seats.slice(1)] }) }));
    assert.deepEqual(codes(), ["sent-away"], why);
  }
});

test("an unanswered commitment is reported once the deal continues without it", () => {
  const attempt = new Attempt();
  const { shares, pass, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  pass(9);
  assert.deepEqual(codes(), []);
  shares.hear(attempt.view("open"));
  assert.deepEqual(codes(), ["commit-unanswered"]);
});

test("a hand played while a commitment waits for its answer also counts as continuing", () => {
  const attempt = new Attempt();
  const { shares, pass, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  pass(1);
  shares.hear({ ...attempt.view("commit"), deal: null, match: { id: "m", phase: "playing", hand: 2 } });
  assert.deepEqual(codes(), []);
  pass(3);
  assert.deepEqual(codes(), ["commit-unanswered"]);
});

test("a message that never arrived, or arrived too late to be answered, is no fault", () => {
  const attempt = new Attempt();
  const { shares, line, pass, answer, codes } = openWindow();
  line.reached = false;
  shares.hear(attempt.view("commit"));
  pass(9);
  shares.hear(attempt.view("open"));
  pass(9);
  line.reached = true;
  pass(1);
  answer("refused", { code: "closed" });
  pass(9);
  assert.deepEqual(codes(), []);
});

test("an unanswered commitment that is in the list is accepted, and lacks its receipt", () => {
  const attempt = new Attempt();
  const { shares, sent, pass, codes } = openWindow();
  shares.hear(attempt.view("commit"));
  attempt.take(sent[0]);
  shares.hear(attempt.view("open"));
  pass(9);
  assert.deepEqual([codes(), sent.map(({ type }) => type)], [["receipt-missing"], ["commit", "open"]]);
});

test("a share refused as late raises an alarm while the server still waits for it", () => {
  const { attempt, shares, pass, answer, codes } = commitInWindow();
  shares.hear(attempt.view("open"));
  answer("refused", { code: "other-deal" });
  pass(3);
  assert.deepEqual(codes(), ["refused"]);
});

test("a share that arrived unanswered raises an alarm when its attempt is cancelled", () => {
  const { attempt, ...window } = commitInWindow();
  window.shares.hear(attempt.view("open"));
  window.pass(4);
  assert.deepEqual(reopenAfter(attempt, window, [attempt.opened({ 1: attempt.shares[1] })]), ["open-unanswered"]);
});
