import assert from "node:assert/strict";
import { test } from "node:test";

import { patched, Views } from "../../static/js/table/socket.js";

const line = (n) => ({ n, text: `line ${n}` });
const view = {
  top: "R5",
  turn: 0,
  seats: [{ seat: 0, count: 3, name: "Asha" }, { seat: 1, count: 3, name: "Ben" }],
  log: Array.from({ length: 30 }, (_, n) => line(n)),
  own_lines: { 0: "You begin.", 29: "You wait." },
};
const none = { view: {}, seats: {}, log: [], own_lines: {} };

test("changed keys replace the old values, and seats are replaced by their keys", () => {
  const found = patched(view, { ...none, view: { top: "R7", turn: 1 }, seats: { 1: { count: 2 } } });
  assert.deepEqual([found.top, found.turn], ["R7", 1]);
  assert.deepEqual(found.seats, [{ seat: 0, count: 3, name: "Asha" }, { seat: 1, count: 2, name: "Ben" }]);
  assert.deepEqual(found.log, view.log);
  assert.equal(view.seats[1].count, 3);
});

test("new lines push out the oldest ones and their second-person versions", () => {
  const found = patched(view, { ...none, log: [line(30)], own_lines: { 30: "You play." } });
  assert.deepEqual([found.log.length, found.log[0].n, found.log[29].n], [30, 1, 30]);
  assert.deepEqual(found.own_lines, { 29: "You wait.", 30: "You play." });
});

test("a complete view is returned unchanged", () => {
  const seats = [{ seat: 0, count: 7, coming_ms: 5 }];
  const found = patched(view, { ...none, view: { seats, log: [line(50)], own_lines: { 50: "You." } } });
  assert.deepEqual([found.seats, found.log, found.own_lines], [seats, [line(50)], { 50: "You." }]);
  assert.deepEqual(patched(view, { ...none, view: { log: [] } }).own_lines, {});
});

test("changes to another version than the last one are ignored", () => {
  const views = new Views();
  const changes = { type: "changes", version: 3, since: 2, events: [], ...none };
  assert.equal(views.whole(changes), null);
  views.whole({ type: "view", version: 2, view, events: [] });
  assert.equal(views.whole({ ...changes, since: 1 }), null);
  assert.deepEqual(views.whole(changes), { type: "view", version: 3, view, events: [] });
  assert.equal(views.whole(changes), null);
  views.forget();
  assert.equal(views.whole({ ...changes, version: 4, since: 3 }), null);
});
