import assert from "node:assert/strict";
import { test } from "node:test";

import { Kept } from "../../static/js/fair/kept.js";
import { Store } from "./dealing.js";

const draw = { match: "m", hand: 1, attempt: 1 };
const note = (changes = {}) => ({
  ...draw, seat: 0, at: "2026-11-21T10:00:00Z", server: "aa", mine: null, list: null, digest: null, opened: false, taken: false, complaints: [], ...changes,
});

test("shares are found by their commitments, also in another window", () => {
  const store = new Store();
  new Kept(store).keepShare(draw, 0, "c1", "s1");
  new Kept(store).keepShare(draw, 0, "c2", "s2");
  const kept = new Kept(store);
  assert.deepEqual([kept.share(draw, 0, "c1"), kept.share(draw, 0, "c2")], ["s1", "s2"]);
  assert.deepEqual([kept.share(draw, 1, "c1"), kept.share({ ...draw, hand: 2 }, 0, "c1")], [null, null]);
});

test("notes are stored unchanged, and those of a match are in the order of its hands", () => {
  const kept = new Kept(new Store());
  for (const [hand, attempt] of [[10, 1], [2, 2], [2, 1]]) kept.keep(note({ hand, attempt }));
  kept.keep(note({ match: "m2" }));
  assert.deepEqual(kept.notes("m").map(({ hand, attempt }) => [hand, attempt]), [[2, 1], [2, 2], [10, 1]]);
  assert.deepEqual(kept.note({ match: "m2", hand: 1, attempt: 1 }, 0), note({ match: "m2" }));
  assert.deepEqual([kept.note(draw, 0), kept.notes("m3")], [null, []]);
});

test("data that cannot be stored stays in memory until storage works again", () => {
  const store = new Store();
  const kept = new Kept(store);
  store.full = true;
  kept.keep(note());
  assert.deepEqual([kept.note(draw, 0), kept.notes("m").length, kept.lasting], [note(), 1, false]);
  store.full = false;
  kept.keep(note({ taken: true }));
  assert.deepEqual([kept.lasting, new Kept(store).note(draw, 0).taken], [true, true]);
});

test("a browser that forbids storage keeps the data in memory", () => {
  const forbidden = { get: () => { throw new Error("SecurityError"); }, configurable: true };
  const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  Object.defineProperty(globalThis, "localStorage", forbidden);
  const kept = new Kept();
  kept.keepShare(draw, 0, "c1", "s1");
  assert.deepEqual([kept.share(draw, 0, "c1"), kept.lasting], ["s1", false]);
  if (before) Object.defineProperty(globalThis, "localStorage", before);
  else delete globalThis.localStorage;
});

test("damaged entries in the store are ignored", () => {
  const store = new Store();
  new Kept(store).keep(note());
  for (const name of store.items.keys()) store.items.set(name, "{");
  const kept = new Kept(store);
  assert.deepEqual([kept.note(draw, 0), kept.notes("m")], [null, []]);
});

const DAY_MS = 24 * 3600 * 1000;
const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Return a store with 600 notes of a match, each with a share and this many days old. */
function makeFilledStore(days) {
  const kept = new Kept(new Store());
  for (let hand = 1; hand <= 600; hand += 1) {
    kept.keepShare({ ...draw, hand }, 0, "c", "s");
    kept.keep(note({ hand, at: daysAgo(days - hand / 1000) }));
  }
  return kept;
}

test("the oldest notes and their shares are deleted to make room", () => {
  const kept = makeFilledStore(9);
  kept.storage.setItem("lastcard-table", "{}");
  kept.keep(note({ match: "n", at: daysAgo(0) }));
  assert.deepEqual([kept.notes("n").length, kept.notes("m").length, kept.notes("m")[0].hand], [1, 300, 301]);
  assert.deepEqual([kept.share({ ...draw, hand: 300 }, 0, "c"), kept.share({ ...draw, hand: 301 }, 0, "c")], [null, "s"]);
  assert.equal(kept.storage.getItem("lastcard-table"), "{}");
});

test("recent notes and those of the current match are never deleted", () => {
  const fresh = makeFilledStore(6);
  fresh.keep(note({ match: "n", at: daysAgo(0) }));
  assert.deepEqual([fresh.notes("m").length, fresh.notes("n").length], [600, 1]);
  const going = makeFilledStore(9);
  going.keep(note({ hand: 601, at: daysAgo(0) }));
  assert.equal(going.notes("m").length, 601);
});
