import assert from "node:assert/strict";
import { test } from "node:test";

import { Arrangement } from "../../static/js/admin/arrangement.js";

const arranged = () => new Arrangement();

test("a name and then another swap their seats", () => {
  const seats = arranged();
  assert.equal(seats.press("4"), false);
  assert.equal(seats.chosen, "4");
  assert.equal(seats.press("7"), true);
  assert.deepEqual(seats.written(), ["4>swap:7"]);
  assert.equal(seats.chosen, null);
});

test("a name that is pressed again is let go", () => {
  const seats = arranged();
  seats.press("4");
  assert.equal(seats.press("4"), false);
  assert.equal(seats.chosen, null);
  assert.deepEqual(seats.written(), []);
});

test("a chosen name goes to a table", () => {
  const seats = arranged();
  seats.press("4");
  assert.equal(seats.place("table:3"), true);
  assert.deepEqual(seats.written(), ["4>table:3"]);
});

test("a place without a name is no change", () => {
  const seats = arranged();
  assert.equal(seats.place("new"), false);
  assert.deepEqual(seats.written(), []);
});

test("who is let go by Escape goes nowhere", () => {
  const seats = arranged();
  seats.press("4");
  seats.cancel();
  assert.equal(seats.place("new"), false);
});

test("changes are taken back one by one, or all", () => {
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
