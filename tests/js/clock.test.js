import assert from "node:assert/strict";
import { test } from "node:test";

import { awayInWords, awayLeft, brief, clockInWords, clockNow, waitingFor } from "../../static/js/table/clock.js";

const CLOCK = { seat: 0, left_ms: 9000, total_ms: 25000, bank_ms: 30000, bank_total_ms: 30000, in_bank: false };
const ASHA = { seat: 0, name: "Asha", bot: "", present: true, playing: true, gone_seconds: null, away_left_ms: null };
const BEN = { ...ASHA, seat: 1, name: "Ben", present: false, gone_seconds: 12, away_left_ms: 40000 };

/** Return a state whose view arrived at time 0. */
function state({ clock = CLOCK, paused = false, seats = [ASHA, BEN], turn = clock?.seat ?? 0, you = 0 } = {}) {
  return { view: { match: { paused }, clock, seats, turn, you }, seenAt: 0 };
}

test("the clock counts from the view's arrival, first the turn time and then the bank", () => {
  const at = (ms) => clockNow(state(), ms);
  assert.deepEqual(at(4000), { seat: 0, left: 5000, bank: 30000, until: 35000, inBank: false, share: 0.2 });
  assert.deepEqual(at(15000), { seat: 0, left: 0, bank: 24000, until: 24000, inBank: true, share: 0.8 });
  assert.deepEqual(at(99000), { seat: 0, left: 0, bank: 0, until: 0, inBank: true, share: 0 });
});

test("a clock without a bank stops at zero", () => {
  const clock = { seat: 0, left_ms: 9000, total_ms: 25000, bank_ms: 0, bank_total_ms: 30000, in_bank: false };
  assert.deepEqual(clockNow(state({ clock }), 99000), { seat: 0, left: 0, bank: 0, until: 0, inBank: false, share: 0 });
});

test("the clock stops during a pause, and there may be no clock", () => {
  assert.equal(clockNow(state({ paused: true }), 4000).left, 9000);
  assert.equal(clockNow(state({ clock: null }), 4000), null);
});

test("long times are formatted in minutes", () => {
  assert.deepEqual([0, 99, 100, 125, 600].map(brief), ["0 s", "99 s", "1:40", "2:05", "10:00"]);
});

test("U43: the clock is described in words", () => {
  const words = (ms) => clockInWords(clockNow(state(), ms));
  assert.equal(words(4000), "5 seconds, then 30 seconds from the time bank");
  assert.equal(words(15000), "24 seconds from the time bank");
  assert.equal(clockInWords(clockNow(state({ clock: { ...CLOCK, bank_ms: 0 } }), 0)), "9 seconds");
  assert.equal(clockInWords(null), null);
});

test("U41: the time to wait for an absent player runs only during their turns", () => {
  const bens = { ...CLOCK, seat: 1 };
  assert.equal(awayLeft(BEN, state(), 5000), 40);
  assert.equal(awayLeft(BEN, state({ clock: bens }), 5000), 35);
  assert.equal(awayLeft(BEN, state({ clock: bens, paused: true }), 5000), 40);
  assert.equal(awayLeft(BEN, state({ clock: bens }), 99000), 0);
  assert.equal(awayLeft(ASHA, state(), 0), null);
});

test("U41: the prompt names the awaited player and the remaining time", () => {
  const bens = { ...CLOCK, seat: 1 };
  assert.equal(waitingFor(state({ clock: bens }), 1000), "Ben is away (39 s left).");
  assert.equal(waitingFor(state({ clock: bens }), 99000), "Ben is away. The site draws and passes for them.");
  const seats = [ASHA, { ...BEN, away_left_ms: null }];
  assert.equal(waitingFor(state({ clock: bens, seats }), 1000), "Ben is away.");
  assert.equal(waitingFor(state(), 1000), null);
  assert.equal(waitingFor(state({ clock: bens, you: 1 }), 1000), null);
  assert.equal(waitingFor(state({ clock: bens, paused: true }), 1000), null);
  assert.equal(waitingFor(state({ clock: null, turn: null }), 1000), null);
});

test("players who may still be arriving are not called away", () => {
  const seats = [ASHA, { ...BEN, gone_seconds: null, coming_ms: 3000 }];
  const told = (now, more) => waitingFor(state({ clock: { ...CLOCK, seat: 1 }, seats: [ASHA, { ...seats[1], ...more }] }), now);
  assert.equal(told(2000), "Ben isn’t here yet (38 s left).");
  assert.equal(told(2000, { away_left_ms: null }), "Ben isn’t here yet.");
  assert.equal(told(3000), "Ben is away (37 s left).");
});

test("U41: text mode names everyone who is away", () => {
  const chitra = { ...BEN, name: "Chitra", gone_seconds: null, away_left_ms: null };
  const told = awayInWords(state({ seats: [ASHA, BEN, chitra] }), 3000);
  assert.equal(told, "Ben has been away for 15 seconds, the table will wait 40 more seconds in this hand; Chitra hasn’t arrived yet");
  assert.equal(awayInWords(state({ seats: [ASHA] }), 0), null);
});
