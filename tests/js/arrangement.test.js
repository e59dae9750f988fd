import assert from "node:assert/strict";
import { test } from "node:test";

import { Arrangement } from "../../static/js/admin/arrangement.js";

const arranged = () => new Arrangement();

test("selecting two names swaps their seats", () => {
  const seats = arranged();
  assert.equal(seats.press("4"), false);
  assert.equal(seats.chosen, "4");
  assert.equal(seats.press("7"), true);
  assert.deepEqual(seats.written(), ["4>swap:7"]);
  assert.equal(seats.chosen, null);
});

test("selecting a name again deselects it", () => {
  const seats = arranged();
  seats.press("4");
  assert.equal(seats.press("4"), false);
  assert.equal(seats.chosen, null);
  assert.deepEqual(seats.written(), []);
});

test("a selected name can be moved to a table", () => {
  const seats = arranged();
  seats.press("4");
  assert.equal(seats.place("table:3"), true);
  assert.deepEqual(seats.written(), ["4>table:3"]);
});

test("choosing a place without a selected name changes nothing", () => {
  const seats = arranged();
  assert.equal(seats.place("new"), false);
  assert.deepEqual(seats.written(), []);
});

test("Escape deselects a name without moving it", () => {
  const seats = arranged();
  seats.press("4");
  seats.cancel();
  assert.equal(seats.place("new"), false);
});

test("changes can be undone one by one or all together", () => {
  const seats = arranged();
  for (const target of ["table:1", "out", "new"]) {
    seats.press("4");
    seats.place(target);
  }
  seats.undo();
  assert.deepEqual(seats.written(), ["4>table:1", "4>out"]);
  seats.clear();
  assert.deepEqual(seats.written(), []);
});
